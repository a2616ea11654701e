"""The link layer of every RDMA port of the node is that of its fabric."""

from rackwright import compare
from rackwright.compare import network
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.network import Rdma
from rackwright.model.verdict import Finding

LAYERS = {"infiniband": "InfiniBand", "roce": "Ethernet"}


def judge(expectation: Expectation, record: Rdma) -> Finding:
    """Compare the link layer of each port with the transport of its fabric."""
    transports = expectation.wiring.transports
    required = {link.port: LAYERS[transports[link.fabric]] for link in network.rdma_links(expectation)}
    readings = {}
    for link in network.rdma_links(expectation):
        device = network.rdma_device(record, link.port)
        layer = device.link_layer if device is not None and device.link_layer else None
        right = layer == required[link.port]
        readings[network.port_place(link)] = (
            layer if layer is None or right else f"{layer}, its fabric {link.fabric} is not"
        )
    return compare.every(
        expectation,
        readings,
        lambda layer: layer in LAYERS.values(),
        what="link layer of port",
        expected=", ".join(sorted(set(required.values()))),
        source="design, transport of the fabrics",
    )


CHECK = Check(reads=Rdma, judge=judge, applies=network.carries_rdma)
