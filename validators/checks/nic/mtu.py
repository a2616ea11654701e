"""Every RDMA port of the node has the MTU of its fabric."""

from rackwright import compare
from rackwright.compare import network
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.network import Rdma
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Rdma) -> Finding:
    """The active MTU of each port beside the limit."""
    row = compare.limit(expectation, "nic.mtu")
    if row is None:
        return compare.no_limit(expectation, "nic.mtu")
    return compare.every(
        expectation,
        network.by_device(expectation, seen, lambda one: one.active_mtu),
        lambda mtu: mtu >= compare.number(row),
        what="active MTU of port",
        expected=f"{row.value} bytes",
        source=compare.limit_source(row),
    )


CHECK = Check(reads=Rdma, judge=judge, applies=network.carries_rdma)
