"""Adapters of one model run the same firmware on the whole fleet."""

from collections.abc import Mapping, Sequence

from rackwright.compare import network
from rackwright.model.check import Expectation, FleetCheck
from rackwright.model.evidence.network import Rdma
from rackwright.model.verdict import Finding


def judge(peers: Sequence[tuple[Expectation, Rdma]]) -> Mapping[str, Finding]:
    """What most peers have is expected of each."""
    return network.alike(
        peers, read, what="firmware of adapter", source="the peers: adapters of one model are one bundle"
    )


def read(expectation: Expectation, seen: Rdma) -> dict[str, tuple[str, str | None]]:
    """By port: what it is compared with, and its value; a missing adapter is left to nic.count."""
    found = ((link, network.device(seen, link.port)) for link in network.rdma_links(expectation))
    return {network.place(link): (one.model, one.firmware or None) for link, one in found if one is not None}


CHECK = FleetCheck(
    title="Adapters of one model have one firmware", reads=Rdma, judge=judge, applies=network.carries_rdma
)
