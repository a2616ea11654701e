"""The way to the reference clock has gathered a large error."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="clock-dispersion",
    summary="The reference of the clock is far away",
    apply=system(clock_dispersion_seconds=0.31),
    checks=frozenset({"clock.error_bound"}),
    names=frozenset({"clock error"}),
)
