"""Slurm can allocate the memory of the node, and no more than it has."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.scheduler import SchedulerNode
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: SchedulerNode) -> Finding:
    """Compare RealMemory with the server SKU: between a share of it and all of it."""
    row = compare.limit(expectation, "scheduler.memory_share")
    mib = compare.limit(expectation, "scheduler.mib_per_gib")
    if row is None or mib is None:
        return compare.no_limit(expectation, "scheduler.memory_share and scheduler.mib_per_gib")
    server = expectation.node.server
    most = server.memory_gib * compare.number(mib)
    least = compare.number(row) * most
    return compare.every(
        expectation,
        {"RealMemory in MiB": record.memory_mib},
        lambda mib_in_slurm: least <= mib_in_slurm <= most,
        what="Slurm",
        expected=f"{least:.0f} to {most:.0f}",
        source=f"{compare.sku_source(server, 'memory_gib')}; {compare.limit_source(row)}",
    )


def applies(expectation: Expectation) -> bool:
    """Slurm nodes with accelerators."""
    return expectation.node.scheduler == "slurm" and compare.has_accelerators(expectation)


CHECK = Check(reads=SchedulerNode, judge=judge, applies=applies)
