"""Redundancy of the power supplies is switched off."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import chassis

FAULT = Fault(
    name="psu-redundancy-lost",
    summary="The power supplies share the load without a spare",
    apply=chassis(redundancy="Critical"),
    checks=frozenset({"bmc.psu_redundancy"}),
    names=frozenset({"Critical"}),
)
