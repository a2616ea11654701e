"""The clock of the CPUs is capped at 2 GHz."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="frequency-capped",
    summary="The clock of the CPUs is capped at 2 GHz",
    apply=system(ceiling_khz=2_000_000),
    checks=frozenset({"cpu.frequency"}),
    names=frozenset({"2000000"}),
    refused=False,
)
