"""``Status`` as every Redfish resource carries it.

Schema: https://redfish.dmtf.org/schemas/v1/Resource.json#/definitions/Status
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rackwright.redfish.resources.links import KINDS
from rackwright.redfish.resources.text_members import word


class Status(NamedTuple):
    """State and health; empty strings where the BMC says nothing."""

    state: str
    health: str
    rollup: str

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Status:
        """The status of any resource `document`."""
        status = document.get("Status")
        if not isinstance(status, KINDS):
            return SILENT
        return cls(word(status, "State"), word(status, "Health"), word(status, "HealthRollup"))

    @property
    def present(self) -> bool:
        """False for an empty bay, which many BMCs list as well."""
        return self.state != "Absent"

    @property
    def silent(self) -> bool:
        """Whether the resource says nothing of itself: not good, and not bad."""
        return self == SILENT


SILENT = Status("", "", "")
