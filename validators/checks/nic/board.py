"""Adapters of one model have the same board number (PSID) on the whole fleet."""

from collections.abc import Hashable, Mapping, Sequence

from rackwright.compare import by_kind, fleet_readings, network
from rackwright.model.check import Expectation, FleetCheck
from rackwright.model.evidence.network import Rdma
from rackwright.model.verdict import Finding


def judge(peers: Sequence[tuple[Expectation, fleet_readings.Adapters]]) -> Mapping[str, Finding]:
    """Compare every adapter with most adapters of its model."""
    return by_kind.compare_parts(
        peers,
        read,
        decides=decides,
        what="PSID of adapter",
        source="the peers: a server SKU has one part number for an adapter",
    )


def read(expectation: Expectation, record: fleet_readings.Adapters) -> dict[str, tuple[str, str | None]]:
    """Model and board by port; `nic.count` names missing adapters."""
    devices = dict(record)
    pairs = ((link, devices.get(link.port)) for link in network.nvidia_links(expectation))
    return {
        network.port_place(link): (device.model, device.board or None) for link, device in pairs if device is not None
    }


def applies(expectation: Expectation) -> bool:
    """Nodes with ConnectX or BlueField adapters, which alone have board numbers (PSID)."""
    return network.carries_rdma(expectation) and bool(network.nvidia_links(expectation))


def decides(expectation: Expectation, record: fleet_readings.Adapters) -> Hashable:
    """All values that `read` uses except the names of parts."""
    return network.cabling(expectation), record


CHECK = FleetCheck(reads=Rdma, takes=fleet_readings.adapter_readings, judge=judge, applies=applies)
