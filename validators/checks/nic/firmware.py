"""Adapters of one model run the same firmware on the whole fleet."""

from collections.abc import Hashable, Mapping, Sequence

from rackwright.compare import by_kind, network
from rackwright.model.check import Expectation, FleetCheck
from rackwright.model.evidence.network import Rdma
from rackwright.model.verdict import Finding


def judge(peers: Sequence[tuple[Expectation, network.Brief]]) -> Mapping[str, Finding]:
    """What most peers have is expected of each."""
    return by_kind.alike(
        peers,
        read,
        decides=decides,
        what="firmware of adapter",
        source="the peers: adapters of one model are one bundle",
    )


def read(expectation: Expectation, seen: network.Brief) -> dict[str, tuple[str, str | None]]:
    """By port: what it is compared with, and its value; a missing adapter is left to nic.count."""
    known = dict(seen)
    found = ((link, known.get(link.port)) for link in network.rdma_links(expectation))
    return {network.place(link): one for link, one in found if one is not None}


def decides(expectation: Expectation, seen: network.Brief) -> Hashable:
    """All that `read` looks at, besides the names of parts."""
    return network.ports(network.rdma_links(expectation)), seen


def brief(seen: Rdma) -> network.Brief:
    """By device: its model and what is compared."""
    return network.brief(seen, lambda device: device.firmware)


CHECK = FleetCheck(
    title="Adapters of one model have one firmware", reads=Rdma, takes=brief, judge=judge, applies=network.carries_rdma
)
