"""Slurm can give away only half of the memory."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system_of

FAULT = Fault(
    name="slurm-memory-short",
    summary="Slurm can give away only half of the memory",
    apply=system_of(lambda machine: {"slurm_memory_mib": machine.memory_gib * 1024 // 2}),
    checks=frozenset({"scheduler.memory"}),
    names=frozenset({"RealMemory"}),
)
