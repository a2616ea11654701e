"""The clock is a second away from true time."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="clock-offset",
    summary="The clock is a second off",
    apply=system(clock_offset_seconds=1.04),
    checks=frozenset({"clock.offset"}),
    names=frozenset({"1.04"}),
)
