"""Faults of the clock of a node."""

from __future__ import annotations

from rackwright.twin.faults.changes import set_machine, set_system
from rackwright.twin.faults.fault import Fault

FAULTS = (
    Fault(
        name="clock-dispersion",
        summary="The time source is so far away that nobody knows the clock to better than 0.3 s",
        apply=set_system(clock_dispersion_seconds=0.31),
        checks={"clock.error_bound"},
        names={"clock error"},
    ),
    # The oscillator of the board is far off.
    Fault(
        name="clock-drift",
        summary="The clock runs too fast",
        apply=set_system(clock_frequency_ppm=812.0),
        checks={"clock.drift"},
        names={"812 ppm"},
    ),
    Fault(
        name="clock-falseticker",
        summary="The time server tells another time than the node has",
        apply=set_system(clock_falsetickers=1),
        checks={"clock.sources"},
        names={": state x"},
    ),
    Fault(
        name="clock-offset",
        summary="The clock is a second off",
        apply=set_system(clock_offset_seconds=1.04),
        checks={"clock.offset"},
        names={"1.04"},
    ),
    Fault(
        name="clock-stratum",
        summary="The clock says that it has no reference (stratum 16)",
        apply=set_system(clock_stratum=16),
        checks={"clock.synchronised"},
        names={"stratum 16"},
    ),
    Fault(
        name="clock-unsynchronised",
        summary="The node gets no answer from its time server",
        apply=set_machine(ntp_unreachable=True),
        checks={"clock.synchronised", "clock.offset"},
        masks={"clock.offset", "clock.sources"},
    ),
)
