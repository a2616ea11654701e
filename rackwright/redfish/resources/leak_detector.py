"""A leak detector.

Schema: https://redfish.dmtf.org/schemas/v1/LeakDetector.json
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rackwright.redfish.resources.status import Status


class LeakDetectorResource(NamedTuple):
    """What we read of a leak detector."""

    name: str
    state: str
    status: Status

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> LeakDetectorResource:
        """The record of a LeakDetector `document`."""
        return cls(
            name=str(document.get("Name") or document.get("Id") or ""),
            state=str(document.get("DetectorState") or ""),
            status=Status.of(document),
        )
