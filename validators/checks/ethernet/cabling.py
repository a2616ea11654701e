"""Every Ethernet cable of the node is in the switch port that the cable plan gives it."""

from rackwright import compare
from rackwright.compare import network
from rackwright.model.check import Check, Expectation
from rackwright.model.design import Link
from rackwright.model.evidence.network import Ethernet
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Ethernet) -> Finding:
    """Compare the LLDP neighbour of every port with the planned switch and port."""
    links = network.ethernet_links(expectation)
    return compare.every(
        expectation,
        compare.NamedReadings(
            [state_of(expectation, link, record) for link in links], lambda: map(network.port_place, links)
        ),
        lambda state: state == network.IN_PLACE,
        what="Ethernet cable",
        expected="the cable plan",
        source=lambda: f"design, fabrics {', '.join(sorted({link.fabric for link in links}))}",
    )


def state_of(expectation: Expectation, link: Link, record: Ethernet) -> str | None:
    """`network.IN_PLACE`, or where the cable is and whose place it took; None without an LLDP neighbour."""
    port = network.ethernet_interface(record, link.port)
    if port is None or not record.heard:
        return None
    return network.announced_place(expectation, link, ((far.system, far.port) for far in port.neighbours))


CHECK = Check(reads=Ethernet, judge=judge, applies=network.carries_ethernet)
