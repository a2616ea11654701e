"""What `scontrol show node` lists on the controller of the twin."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.scheduler import SchedulerNode
from rackwright.twin.hardware.state import State

MEMORY_SHARE = 0.95
"""Of the installed memory, as the role slurm_config gives it to Slurm (``slurm_config_memory_percent``)."""
MIB = 1024


def observe(state: State, design: Design, node: str) -> list[SchedulerNode]:
    """Every node of the twin that Slurm has; `node` is the controller that is asked."""
    del node
    members = [design.node(name) for name in state.machines]
    return [
        _node(state, one.name, one.server.memory_gib, one.server.cpu_sockets * one.server.cores_per_socket)
        for one in members
        if one.scheduler == "slurm"
    ]


def _node(state: State, name: str, memory_gib: int, cores: int) -> SchedulerNode:
    machine, system = state.machines[name], state.machines[name].system
    count = len(machine.gpus) - system.slurm_gres_short
    lost = machine.power_state != "On" or machine.ssh_hangs or any(not gpu.present for gpu in machine.gpus)
    return SchedulerNode(
        name=name,
        states=["down"] if lost else list(system.slurm_states),
        reason="Not responding" if lost else "",
        reason_by="slurm" if lost else "",
        gres=f"gpu:{count}" if count > 0 and machine.gpus else "",
        cpus=cores if system.slurm_cpus is None else system.slurm_cpus,
        memory_mib=int(memory_gib * MIB * MEMORY_SHARE) if system.slurm_memory_mib is None else system.slurm_memory_mib,
        answers=not lost,
    )
