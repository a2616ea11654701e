"""The building supplies water that is too warm."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._plant import cdu

FAULT = Fault(
    name="cdu-warm-water",
    summary="The building supplies water that is too warm",
    apply=cdu(0, water_kelvin=4.0),
    checks=frozenset({"cooling.facility_water"}),
    names=frozenset({"Facility water: 40"}),
    elsewhere=frozenset({"cooling.*"}),
    refused=False,
)
