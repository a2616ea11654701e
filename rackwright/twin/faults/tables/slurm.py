"""Faults of a node in Slurm."""

from __future__ import annotations

from rackwright.twin.faults.changes import set_system, set_system_from
from rackwright.twin.faults.fault import Fault

FAULTS = (
    Fault(
        name="munge-disabled",
        summary="munge does not start at boot",
        apply=set_system(disabled_services=("munge",)),
        checks={"host.services"},
        names={"munge"},
        needs="slurm",
    ),
    Fault(
        name="slurm-cpus-short",
        summary="Slurm can give away only half of the cores",
        apply=set_system_from(
            lambda machine: {"slurm_cpus": machine.system.sockets * machine.system.cores_per_socket // 2}
        ),
        checks={"scheduler.cpus"},
        names={"Slurm CPUs: {cores[2]}"},
    ),
    Fault(
        name="slurm-down",
        summary="The node is down in Slurm",
        apply=set_system(slurm_states=("down",)),
        checks={"scheduler.state"},
        names={"down"},
    ),
    Fault(
        name="slurm-gres-short",
        summary="Slurm can give away one accelerator fewer than the node has",
        apply=set_system(slurm_gres_short=1),
        checks={"scheduler.gres"},
        names={"gpu:{left[1]}"},
    ),
    Fault(
        name="slurm-invalid",
        summary="The node registered with less than slurm.conf says",
        apply=set_system(slurm_states=("idle", "invalid_reg")),
        checks={"scheduler.state"},
        names={"invalid_reg"},
    ),
    Fault(
        name="slurm-memory-short",
        summary="Slurm can give away only half of the memory",
        apply=set_system_from(lambda machine: {"slurm_memory_mib": machine.memory_gib * 1024 // 2}),
        checks={"scheduler.memory"},
        names={"RealMemory"},
    ),
    Fault(
        name="slurm-unreachable",
        summary="slurmd registered, and slurmctld does not reach it",
        apply=set_system(slurm_states=("idle", "not_responding")),
        checks={"scheduler.state"},
        names={"does not answer"},
    ),
)
