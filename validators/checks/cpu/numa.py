"""Every socket has a NUMA node with local memory."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.cpu import Cpu
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: Cpu) -> Finding:
    """Compare the NUMA nodes with the sockets: at least one each, and equally many on every socket."""
    sockets, nodes = expectation.node.server.cpu_sockets, record.numa_nodes
    if nodes is None:
        outcome = Outcome.INCONCLUSIVE
    else:
        outcome = Outcome.PASS if nodes >= sockets and nodes % sockets < 1 else Outcome.FAIL
    return compare.finding(
        expectation,
        outcome,
        what="NUMA nodes:",
        observed="no reading" if nodes is None else str(nodes),
        expected=f"{sockets}, or a multiple of it",
        source=compare.sku_source(expectation.node.server, "cpu_sockets"),
    )


CHECK = Check(reads=Cpu, judge=judge, applies=compare.has_accelerators)
