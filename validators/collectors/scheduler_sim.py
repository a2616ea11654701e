"""Prints nodes as `scontrol show node` does; what the records do not hold is printed as of a node without jobs."""

from collections.abc import Sequence

from rackwright.model.evidence.scheduler import SchedulerNode


def render(seen: Sequence[SchedulerNode]) -> bytes:
    """The blocks whose parse is `seen`."""
    return "\n".join(_block(one) for one in seen).encode()


def _block(node: SchedulerNode) -> str:
    state = "+".join(word.upper() for word in node.states)
    lines = [
        f"NodeName={node.name} Arch=x86_64 CoresPerSocket=56 ",
        f"   CPUAlloc=0 CPUEfctv=0{'' if node.cpus is None else f' CPUTot={node.cpus}'} CPULoad=0.01",
        "   AvailableFeatures=(null)",
        f"   Gres={node.gres or '(null)'}",
        f"   NodeAddr={node.name} NodeHostName={node.name} Version=22.05.8",
        f"  {'' if node.memory_mib is None else f' RealMemory={node.memory_mib}'} AllocMem=0 FreeMem=N/A Sockets=2 Boards=1",
        f"   State={state}{'' if node.answers else '*'} ThreadsPerCore=1 TmpDisk=0 Weight=1 Owner=N/A MCS_label=N/A",
    ]
    if node.reason:
        lines.append(f"   Reason={node.reason}{f' [{node.reason_by}@2026-11-21T08:02:09]' if node.reason_by else ''}")
    return "".join(f"{line}\n" for line in lines)
