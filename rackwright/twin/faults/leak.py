"""Coolant drips below a quick connector of the machine."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import chassis

FAULT = Fault(
    name="leak",
    summary="A leak detector is wet",
    apply=chassis(leaking=(1,)),
    checks=frozenset({"bmc.leak"}),
    names=frozenset({"Leak detector 1"}),
    needs="liquid",
)
