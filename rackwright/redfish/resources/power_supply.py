"""A power supply.

Schema: https://redfish.dmtf.org/schemas/v1/PowerSupply.json (an entry of the older Power.json has the same status)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rackwright.redfish.resources.status import Status


class PowerSupply(NamedTuple):
    """What we read of a power supply."""

    status: Status
    name: str = ""
    input: str = ""
    """``Normal``, ``LossOfInput``, ``OutOfRange`` (LineInputStatus)."""

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> PowerSupply:
        """The record of a PowerSupply `document`."""
        return cls(
            status=Status.of(document),
            name=str(document.get("Name") or document.get("Id") or document.get("MemberId") or ""),
            input=str(document.get("LineInputStatus") or ""),
        )

    @property
    def good(self) -> bool:
        """Delivers power: enabled and healthy."""
        return self.status.health == "OK" and self.status.state in {"Enabled", "StandbySpare", ""}
