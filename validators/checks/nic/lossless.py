"""Every RoCE port of the node has flow control on the lossless priority of the fabric, and on no other."""

from rackwright.compare import network
from rackwright.compare.threshold import threshold
from rackwright.model.check import Expectation
from rackwright.model.evidence.network import Ethernet


def priorities(expectation: Expectation, ethernet: Ethernet, _: object) -> dict[str, str | None]:
    """Priorities with flow control of every RoCE port; None if they were not read."""
    links = network.roce_links(expectation)
    ports = {network.port_place(link): network.ethernet_interface(ethernet, link.port) for link in links}
    return {
        place: None if port is None or port.lossless is None else ", ".join(map(str, port.lossless)) or "none"
        for place, port in ports.items()
    }


CHECK = threshold(
    reads=Ethernet,
    metric="nic.lossless_priorities",
    readings=priorities,
    good=lambda text, words: text == ", ".join(words),
    what="priorities with flow control of port",
    expected="{words}",
    applies=network.carries_roce,
)
