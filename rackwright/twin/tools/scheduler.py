"""What `scontrol show node` lists on the controller of the twin."""

from __future__ import annotations

from collections.abc import Sequence

from rackwright.model.design import Design
from rackwright.model.evidence.scheduler import SchedulerNode
from rackwright.twin.hardware.state import State

MEMORY_SHARE = 0.95
"""Of the installed memory, as the role slurm_config gives it to Slurm (``slurm_config_memory_percent``)."""
MIB = 1024
SILENT = "not_responding"
"""The flag of a node whose slurmd slurmctld does not reach, as Slurm 23.02 prints it."""


def observe(state: State, design: Design, node: str) -> list[SchedulerNode]:
    """Every node of the twin that Slurm has; `node` is the controller."""
    del node
    members = [design.node(name) for name in state.machines]
    return [
        _node(state, member.name, member.server.memory_gib, member.server.cpu_sockets * member.server.cores_per_socket)
        for member in members
        if member.scheduler == "slurm"
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
        answers=not lost and SILENT not in system.slurm_states,
    )


def render(record: Sequence[SchedulerNode]) -> bytes:
    """The blocks that the collector parses to `record`."""
    return "\n".join(_block(node) for node in record).encode()


def _block(node: SchedulerNode) -> str:
    state = "+".join(word.upper() for word in node.states) + "*" * (not node.answers and SILENT not in node.states)
    lines = [
        f"NodeName={node.name} Arch=x86_64 CoresPerSocket=56 ",
        f"   CPUAlloc=0 CPUEfctv=0{'' if node.cpus is None else f' CPUTot={node.cpus}'} CPULoad=0.01",
        "   AvailableFeatures=(null)",
        f"   Gres={node.gres or '(null)'}",
        f"   NodeAddr={node.name} NodeHostName={node.name} Version=22.05.8",
        f"  {'' if node.memory_mib is None else f' RealMemory={node.memory_mib}'} AllocMem=0 FreeMem=N/A Sockets=2 Boards=1",
        f"   State={state} ThreadsPerCore=1 TmpDisk=0 Weight=1 Owner=N/A MCS_label=N/A",
    ]
    if node.reason:
        lines.append(f"   Reason={node.reason}{f' [{node.reason_by}@2026-11-21T08:02:09]' if node.reason_by else ''}")
    return "".join(f"{line}\n" for line in lines)
