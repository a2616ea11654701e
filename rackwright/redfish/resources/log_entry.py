"""An entry of a log.

Schema: https://redfish.dmtf.org/schemas/v1/LogEntry.json
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class LogEntryResource(NamedTuple):
    """What we read of a log entry."""

    identity: str
    created: str
    severity: str
    message: str
    resolved: bool

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> LogEntryResource:
        """The record of a LogEntry `document`."""
        return cls(
            identity=str(document.get("Id") or ""),
            created=str(document.get("EventTimestamp") or document.get("Created") or ""),
            severity=str(document.get("Severity") or ""),
            message=str(document.get("Message") or "").strip(),
            resolved=document.get("Resolved") is True,
        )
