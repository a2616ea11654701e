"""Every RoCE port of the node has a routable RoCE v2 address."""

from rackwright import compare
from rackwright.compare import network
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.network import Rdma, RdmaDevice
from rackwright.model.verdict import Finding

KIND = "RoCE v2"
LINK_LOCAL = "fe80:"


def judge(expectation: Expectation, record: Rdma) -> Finding:
    """The GID table of every RoCE port must hold a RoCE v2 row that is not link-local."""
    devices = {
        network.port_place(link): network.rdma_device(record, link.port) for link in network.roce_links(expectation)
    }
    return compare.every(
        expectation,
        {port: None if device is None else routed(device) for port, device in devices.items()},
        lambda address: address.startswith(KIND),
        what="GID of port",
        expected=f"a {KIND} address of its network",
        source="design, transport of the fabrics",
    )


def routed(device: RdmaDevice) -> str:
    """The routable rows, or the rows that exist instead."""
    rows = [f"{gid.index}" for gid in device.gids if gid.kind == KIND and not gid.address.startswith(LINK_LOCAL)]
    gids = ", ".join(sorted({f"{gid.kind} {gid.address}" for gid in device.gids})) or "an empty table"
    return f"{KIND} in row {' and '.join(rows)}" if rows else f"only {gids}"


CHECK = Check(reads=Rdma, judge=judge, applies=network.carries_roce)
