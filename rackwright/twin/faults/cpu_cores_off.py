"""Half of the cores of each processor are switched off in the firmware."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="cpu-cores-off",
    summary="Half of the cores are switched off",
    apply=system(cores_per_socket=28),
    checks=frozenset({"cpu.cores"}),
    names=frozenset({"28"}),
)
