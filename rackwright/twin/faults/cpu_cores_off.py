"""Half of the cores of each processor are switched off in the firmware."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system_of

FAULT = Fault(
    name="cpu-cores-off",
    summary="Half of the cores of each processor are switched off",
    apply=system_of(lambda machine: {"cores_per_socket": machine.system.cores_per_socket // 2}),
    checks=frozenset({"cpu.cores"}),
    names=frozenset({"cores of a socket"}),
)
