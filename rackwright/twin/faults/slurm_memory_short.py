"""slurm.conf has half of the memory of the node."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="slurm-memory-short",
    summary="Slurm gives away half of the memory",
    apply=system(slurm_memory_mib=1_048_576),
    checks=frozenset({"scheduler.memory"}),
    names=frozenset({"1048576"}),
)
