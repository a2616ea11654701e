"""``Status`` as every Redfish resource carries it.

Schema: https://redfish.dmtf.org/schemas/v1/Resource.json#/definitions/Status
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Status:
    """State and health; empty strings where the BMC says nothing."""

    state: str
    health: str
    rollup: str

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Status:
        """The status of any resource `document`."""
        status = document.get("Status") or {}
        return cls(
            state=str(status.get("State") or ""),
            health=str(status.get("Health") or ""),
            rollup=str(status.get("HealthRollup") or ""),
        )

    @property
    def present(self) -> bool:
        """False for an empty bay, which many BMCs list as well."""
        return self.state != "Absent"
