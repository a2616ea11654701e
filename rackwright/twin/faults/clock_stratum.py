"""The clock follows a server that has lost its own reference."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="clock-stratum",
    summary="The clock has no true reference",
    apply=system(clock_stratum=16),
    checks=frozenset({"clock.synchronised"}),
    names=frozenset({"stratum 16"}),
)
