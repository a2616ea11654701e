"""The clock says that it has no reference (stratum 16)."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="clock-stratum",
    summary="The clock says that it has no reference (stratum 16)",
    apply=system(clock_stratum=16),
    checks=frozenset({"clock.synchronised"}),
    names=frozenset({"stratum 16"}),
)
