"""RDMA results on every rail of a node: bandwidth and latency to the same rail of a peer, and around rings of nodes."""

from __future__ import annotations

from typing import Literal

from rackwright.model.base import Record


class PortTraffic(Record):
    """Bytes that one port of the sending node carried while a test ran, by its own counters; None: a counter ran backwards."""

    adapter: str
    sent_bytes: int | None
    received_bytes: int | None


class RailSpeed(Record):
    """RDMA writes from one adapter to the same rail of a peer."""

    node: str
    adapter: str
    peer: str
    link: Literal["infiniband", "ethernet", "unknown"]
    bytes: int
    gbits_per_s: float
    bidirectional: bool
    accelerator: int | None
    """Index of the accelerator whose memory is sent; None: host memory."""
    gpudirect: Literal["peermem", "dmabuf"] | None
    """How the tool says that it registered accelerator memory; None: it does not say so."""
    reported_bytes: int | None = None
    """Payload that the tool says it sent: size by iterations."""
    ports: list[PortTraffic] = []
    """Every port of the node, the other rails too; empty: nothing was counted."""


class RailBandwidth(Record):
    """Bandwidth of every rail of a node (`ib_write_bw`)."""

    tool: str
    rails: list[RailSpeed]


class RailDelay(Record):
    """Half the round trip of a small RDMA write between one adapter and the same rail of a peer."""

    node: str
    adapter: str
    peer: str
    bytes: int
    microseconds_typical: float
    microseconds_99: float | None
    microseconds_most: float
    reported_bytes: int | None = None
    ports: list[PortTraffic] = []
    """As of `RailSpeed`."""


class RailLatency(Record):
    """Latency of every rail of a node (`ib_write_lat`)."""

    tool: str
    rails: list[RailDelay]


class RingFlow(Record):
    """RDMA writes from one adapter to an adapter of the next node of a ring, while all other flows of the ring run."""

    node: str
    adapter: str
    peer: str
    peer_adapter: str
    """The adapter that receives; another rail where rails are crossed."""
    link: Literal["infiniband", "ethernet", "unknown"]
    bytes: int
    gbits_per_s: float
    accelerator: int | None
    """As of `RailSpeed`."""
    gpudirect: Literal["peermem", "dmabuf"] | None
    reported_bytes: int | None
    """Payload that the tool says it sent: size by iterations."""
    sent_bytes: int | None
    """What the sending port carried meanwhile, by its own counter; None: it was not counted, or ran backwards."""


class RailRing(Record):
    """Bandwidth around a ring of nodes, every node and every rail at the same time (`ib_write_bw`)."""

    tool: str
    flows: list[RingFlow]
