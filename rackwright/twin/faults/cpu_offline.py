"""One logical CPU is switched off."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="cpu-offline",
    summary="One logical CPU is switched off",
    apply=system(offline_cpus=(17,)),
    checks=frozenset({"cpu.online"}),
    names=frozenset({"CPU 17"}),
)
