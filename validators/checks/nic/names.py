"""An adapter name means the same slot on every node of a server model."""

from collections.abc import Mapping, Sequence

from rackwright.compare import network
from rackwright.model.check import Expectation, FleetCheck
from rackwright.model.evidence.network import Rdma
from rackwright.model.verdict import Finding


def judge(peers: Sequence[tuple[Expectation, network.Brief]]) -> Mapping[str, Finding]:
    """What most peers have is expected of each."""
    return network.alike(
        peers, read, what="PCI slot of adapter", source="the peers: names follow slots, so that a name is a rail"
    )


def read(expectation: Expectation, seen: network.Brief) -> dict[str, tuple[str, str | None]]:
    """By port: what it is compared with, and its value; a missing adapter is left to nic.count."""
    found = ((link, seen.get(link.port)) for link in network.rdma_links(expectation))
    return {
        network.place(link): (f"{expectation.node.server.sku} {link.port}", one[1])
        for link, one in found
        if one is not None
    }


def brief(seen: Rdma) -> network.Brief:
    """By device: its model and what is compared."""
    return {name: (one.model, one.pci_address or None) for name, one in seen.devices.items()}


CHECK = FleetCheck(
    title="Adapter names mean the same slots", reads=Rdma, takes=brief, judge=judge, applies=network.carries_rdma
)
