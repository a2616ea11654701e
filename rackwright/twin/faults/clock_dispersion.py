"""The time source is so far away that nobody knows the clock to better than 0.3 s."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="clock-dispersion",
    summary="The time source is so far away that nobody knows the clock to better than 0.3 s",
    apply=system(clock_dispersion_seconds=0.31),
    checks=frozenset({"clock.error_bound"}),
    names=frozenset({"clock error"}),
)
