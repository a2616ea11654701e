"""An entry of a log.

Schema: https://redfish.dmtf.org/schemas/v1/LogEntry.json
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rackwright.redfish.resources.text_members import word


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
            identity=word(document, "Id"),
            created=word(document, "EventTimestamp") or word(document, "Created"),
            severity=word(document, "Severity"),
            message=word(document, "Message") or word(document, "MessageId"),
            resolved=document.get("Resolved") is True,
        )
