"""Every RDMA port of the node speaks what its fabric speaks."""

from rackwright import compare
from rackwright.compare import network
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.network import Rdma
from rackwright.model.verdict import Finding

LAYERS = {"infiniband": "InfiniBand", "roce": "Ethernet"}


def judge(expectation: Expectation, seen: Rdma) -> Finding:
    """The link layer of each port beside the transport of the fabric that its cable belongs to."""
    transports = expectation.wiring.transports
    wanted = {link.port: LAYERS[transports[link.fabric]] for link in network.rdma_links(expectation)}
    readings = {}
    for link in network.rdma_links(expectation):
        one = network.device(seen, link.port)
        layer = one.link_layer if one is not None and one.link_layer else None
        right = layer == wanted[link.port]
        readings[network.place(link)] = layer if layer is None or right else f"{layer}, its fabric {link.fabric} is not"
    return compare.every(
        expectation,
        readings,
        lambda found: found in LAYERS.values(),
        what="link layer of port",
        expected=", ".join(sorted(set(wanted.values()))),
        source="design, transport of the fabrics",
    )


CHECK = Check(reads=Rdma, judge=judge, applies=network.carries_rdma)
