"""Every RDMA port of the node is up: its link trained and its port active."""

from rackwright import compare
from rackwright.compare import network
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.network import Rdma
from rackwright.model.verdict import Finding

GOOD = "ACTIVE, LinkUp"


def judge(expectation: Expectation, record: Rdma) -> Finding:
    """Compare state and physical state of every planned port, as the kernel reports them, with active and up."""
    return compare.every(
        expectation,
        network.by_device(
            expectation, record, lambda device: f"{device.state}, {device.physical_state}" if device.state else None
        ),
        lambda state: state == GOOD,
        what="RDMA port",
        expected=GOOD,
        source="design: a cable is planned in each of these ports",
    )


CHECK = Check(reads=Rdma, judge=judge, applies=network.carries_rdma)
