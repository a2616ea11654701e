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
        lambda state: state == GOOD,
        what="Ethernet cable",
        expected="the cable plan",
        source=lambda: f"design, fabrics {', '.join(sorted({link.fabric for link in links}))}",
    )


GOOD = "in its planned port"


def state_of(expectation: Expectation, link: Link, record: Ethernet) -> str | None:
    """Where the cable is and whose place it took, or `GOOD`; None without an LLDP neighbour."""
    port = network.ethernet_interface(record, link.port)
    if port is None or not record.heard or not port.neighbours:
        return None
    neighbours = {(neighbour.system.split(".")[0].lower(), neighbour.port) for neighbour in port.neighbours}
    if (link.remote_device.lower(), link.remote_port) in neighbours:
        return GOOD
    places = []
    for switch, far in sorted(neighbours):
        owner, owner_port = expectation.wiring.plugs.get((switch, far), ("no cable", ""))
        places.append(f"is on {switch} port {far}, where {owner} {owner_port}".rstrip() + " belongs")
    return "; ".join(places)


CHECK = Check(reads=Ethernet, judge=judge, applies=network.carries_ethernet)
