"""Slurm can give away only half of the cores."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system_of

FAULT = Fault(
    name="slurm-cpus-short",
    summary="Slurm can give away only half of the cores",
    apply=system_of(lambda machine: {"slurm_cpus": machine.system.sockets * machine.system.cores_per_socket // 2}),
    checks=frozenset({"scheduler.cpus"}),
    names=frozenset({"Slurm CPUs: {cores[2]}"}),
)
