"""slurm.conf gives away half of the cores of the node."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="slurm-cpus-short",
    summary="Slurm gives away half of the cores",
    apply=system(slurm_cpus=56),
    checks=frozenset({"scheduler.cpus"}),
    names=frozenset({"56"}),
)
