"""Slurm can allocate every core of the node."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.scheduler import SchedulerNode
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: SchedulerNode) -> Finding:
    """Compare the CPUs with the cores of the server SKU, or with a multiple of them if threads count as CPUs."""
    server = expectation.node.server
    cores = server.cpu_sockets * server.cores_per_socket
    return compare.every(
        expectation,
        {"CPUs": record.cpus},
        lambda cpus: cpus >= cores and cpus % cores < 1,
        what="Slurm",
        expected=f"{cores} cores, or all their threads",
        source=compare.sku_source(server, "cores_per_socket"),
    )


def applies(expectation: Expectation) -> bool:
    """Slurm nodes with accelerators."""
    return expectation.node.scheduler == "slurm" and compare.has_accelerators(expectation)


CHECK = Check(reads=SchedulerNode, judge=judge, applies=applies)
