"""``Status`` as every Redfish resource carries it.

Schema: https://redfish.dmtf.org/schemas/v1/Resource.json#/definitions/Status
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Status(NamedTuple):
    """State and health; empty strings where the BMC says nothing."""

    state: str
    health: str
    rollup: str

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Status:
        """The status of any resource `document`."""
        field = (document.get("Status") or {}).get
        return cls(str(field("State") or ""), str(field("Health") or ""), str(field("HealthRollup") or ""))

    @property
    def present(self) -> bool:
        """False for an empty bay, which many BMCs list as well."""
        return self.state != "Absent"
