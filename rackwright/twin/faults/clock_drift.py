"""The oscillator of the board is far off."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="clock-drift",
    summary="The clock runs too fast",
    apply=system(clock_frequency_ppm=812.0),
    checks=frozenset({"clock.drift"}),
    names=frozenset({"812 ppm"}),
)
