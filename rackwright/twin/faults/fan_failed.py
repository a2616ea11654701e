"""A fan of the chassis stands still."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import chassis

FAULT = Fault(
    name="fan-failed",
    summary="A fan stands still",
    apply=chassis(fans=(8_400.0,) * 3 + (0.0,) + (8_400.0,) * 6),
    checks=frozenset({"bmc.fans", "bmc.sensors"}),
    names=frozenset({"FAN_3"}),
)
