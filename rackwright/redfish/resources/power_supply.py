"""A power supply.

Schema: https://redfish.dmtf.org/schemas/v1/PowerSupply.json (an entry of the older Power.json has the same status)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rackwright.redfish.resources.numbers import maybe
from rackwright.redfish.resources.status import Status
from rackwright.redfish.resources.text_members import word


class PowerSupply(NamedTuple):
    """What we read of a power supply."""

    path: str
    status: Status
    name: str = ""
    input: str = ""
    """``Normal``, ``LossOfInput``, ``OutOfRange`` (LineInputStatus); of an older one by its LineInputVoltage."""

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> PowerSupply:
        """The record of a PowerSupply `document`."""
        volts = maybe(document.get("LineInputVoltage"))
        measured = "" if volts is None else "Normal" if volts > 0 else "LossOfInput"
        return cls(
            path=word(document, "@odata.id"),
            status=Status.of(document),
            name=word(document, "Name") or word(document, "Id") or word(document, "MemberId"),
            input=word(document, "LineInputStatus") or measured,
        )
