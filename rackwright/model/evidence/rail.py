"""What RDMA reached on every rail of a node: bandwidth and latency towards the same rail of a peer."""

from __future__ import annotations

from typing import Literal

from rackwright.model.base import Record


class PortTraffic(Record):
    """What one port of the sending node carried while a test ran, by its own counters, in bytes; None: a counter ran backwards."""

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
