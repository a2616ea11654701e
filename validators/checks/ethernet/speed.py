"""Every Ethernet port of the node is up at the rate of its planned cable."""

from rackwright import compare
from rackwright.compare import network
from rackwright.model.check import Check, Expectation
from rackwright.model.design import Link
from rackwright.model.evidence.network import Ethernet
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Ethernet) -> Finding:
    """Compare the speed that the kernel reports with that of the plan; a port without a link fails."""
    return compare.every(
        expectation,
        {network.port_place(link): state_of(link, record) for link in network.ethernet_links(expectation)},
        lambda state: state == GOOD,
        what="Ethernet port",
        expected="up at the rate of the planned cable",
        source="design, rate of the cables",
    )


GOOD = "at its planned rate"


def state_of(link: Link, record: Ethernet) -> str | None:
    """Defect of the port in words, or `GOOD`; None if the interface is missing."""
    port = network.ethernet_interface(record, link.port)
    if port is None:
        return None
    if port.operational != "up" or port.mbps is None:
        return f"{port.operational}, without a link"
    return GOOD if port.mbps >= link.gbps * network.MBPS_PER_GBPS else f"{port.mbps} Mb/s of {link.gbps} Gb/s"


CHECK = Check(reads=Ethernet, judge=judge, applies=network.carries_ethernet)
