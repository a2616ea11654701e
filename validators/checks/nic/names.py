"""An adapter name means the same slot on every node of a server model."""

from collections.abc import Hashable, Mapping, Sequence

from rackwright.compare import by_kind, fleet_readings, network
from rackwright.model.check import Expectation, FleetCheck
from rackwright.model.evidence.network import Rdma
from rackwright.model.verdict import Finding


def judge(peers: Sequence[tuple[Expectation, fleet_readings.Adapters]]) -> Mapping[str, Finding]:
    """Compare the slot of every name with most nodes of the same server."""
    return by_kind.compare_parts(
        peers,
        read,
        decides=decides,
        what="PCI slot of adapter",
        source="the peers: names follow slots, so that a name is a rail",
    )


def read(expectation: Expectation, record: fleet_readings.Adapters) -> dict[str, tuple[str, str | None]]:
    """Server with port, and PCI slot, by port; `nic.count` names missing adapters."""
    devices = dict(record)
    pairs = ((link, devices.get(link.port)) for link in network.rdma_links(expectation))
    return {
        network.port_place(link): (f"{expectation.node.server.sku} {link.port}", device.pci_address or None)
        for link, device in pairs
        if device is not None
    }


def decides(expectation: Expectation, record: fleet_readings.Adapters) -> Hashable:
    """All values that `read` uses except the names of parts."""
    return network.cabling(expectation), record


CHECK = FleetCheck(
    reads=Rdma,
    takes=fleet_readings.adapter_readings,
    judge=judge,
    applies=network.carries_rdma,
)
