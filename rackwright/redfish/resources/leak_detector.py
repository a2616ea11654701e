"""A leak detector.

Schema: https://redfish.dmtf.org/schemas/v1/LeakDetector.json
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rackwright.redfish.resources.numbers import maybe
from rackwright.redfish.resources.status import Status
from rackwright.redfish.resources.text_members import word


class LeakDetectorResource(NamedTuple):
    """What we read of a leak detector."""

    name: str
    state: str
    status: Status
    reaction: str = ""
    """CriticalReactionType (LeakDetector.v1_4_0); an excerpt has none, nor of the next two."""
    warning_reaction: str = ""
    """WarningReactionType."""
    delay_seconds: float | None = None
    """ReactionDelaySeconds."""

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> LeakDetectorResource:
        """The record of a LeakDetector `document`."""
        return cls(
            name=word(document, "Name") or word(document, "Id"),
            state=word(document, "DetectorState"),
            status=Status.of(document),
            reaction=word(document, "CriticalReactionType"),
            warning_reaction=word(document, "WarningReactionType"),
            delay_seconds=maybe(document.get("ReactionDelaySeconds")),
        )

    @classmethod
    def of_excerpt(cls, excerpt: Mapping[str, Any]) -> LeakDetectorResource:
        """The record of an entry of LeakDetectorGroups.Detectors, an excerpt of the detector that its DataSourceUri names."""
        path = word(excerpt, "DataSourceUri")
        name = word(excerpt, "DeviceName") or path.rpartition("/")[2]
        return cls(name=name, state=word(excerpt, "DetectorState"), status=Status.of(excerpt))
