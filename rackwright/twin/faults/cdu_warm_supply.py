"""A CDU supplies coolant that is too warm."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._plant import cdu

FAULT = Fault(
    name="cdu-warm-supply",
    summary="A CDU supplies coolant that is too warm",
    apply=cdu(0, supply_kelvin=6.0),
    checks=frozenset({"cooling.supply"}),
    names=frozenset({"Coolant: 46"}),
    elsewhere=frozenset({"cooling.*"}),
    refused=False,
)
