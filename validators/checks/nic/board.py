"""Adapters of one model are the same board (PSID) on the whole fleet."""

from collections.abc import Mapping, Sequence

from rackwright.compare import network
from rackwright.model.check import Expectation, FleetCheck
from rackwright.model.evidence.network import Rdma
from rackwright.model.verdict import Finding


def judge(peers: Sequence[tuple[Expectation, network.Brief]]) -> Mapping[str, Finding]:
    """What most peers have is expected of each."""
    return network.alike(
        peers, read, what="PSID of adapter", source="the peers: a server SKU has one part number for an adapter"
    )


def read(expectation: Expectation, seen: network.Brief) -> dict[str, tuple[str, str | None]]:
    """By port: what it is compared with, and its value; a missing adapter is left to nic.count."""
    found = ((link, seen.get(link.port)) for link in network.psid_links(expectation))
    return {network.place(link): one for link, one in found if one is not None}


def applies(expectation: Expectation) -> bool:
    """Board numbers (PSID) are those of ConnectX and BlueField."""
    return network.carries_rdma(expectation) and bool(network.psid_links(expectation))


def brief(seen: Rdma) -> network.Brief:
    """By device: its model and what is compared."""
    return {name: (one.model, one.board or None) for name, one in seen.devices.items()}


CHECK = FleetCheck(title="Adapters of one model are one board", reads=Rdma, takes=brief, judge=judge, applies=applies)
