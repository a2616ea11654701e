"""Results of collectives in a node and over nodes, with the proof of the path that every rank used.

nccl-tests, rccl-tests and hccl_test fill the same `Collective`. A bandwidth without proof of its path is stored as it is, with an empty proof; the
checks judge it.
"""

from __future__ import annotations

from typing import Literal

from rackwright.model.base import Record

Transport = Literal["nvls", "mnnvl", "p2p", "shm", "infiniband", "roce", "efa", "ethernet", "socket", "other"]
"""How a rank reaches others: switch multicast, NVLink between nodes, links inside the node, host memory, the network."""


class CollectiveRow(Record):
    """One size of a collective."""

    bytes: int
    in_place: bool
    microseconds: float
    algbw_gbytes_per_s: float
    busbw_gbytes_per_s: float
    """Bus bandwidth as nccl-tests defines it (doc/PERFORMANCE.md): comparable between numbers of ranks."""
    wrong: int | None
    """Elements with a wrong result; None when they were not checked."""


class Rank(Record):
    """One process or thread of a collective, with the path that the library's own output proves for it."""

    rank: int
    node: str
    device: int
    pci_bus_id: str
    """Empty where the tool does not tell."""
    product_name: str
    transports: list[Transport]
    """Sorted; empty: nothing was proven."""
    adapters: list[str]
    """Network adapters that this rank used, sorted (``mlx5_0``)."""
    gpudirect: bool | None
    """Whether the network reads and writes accelerator memory directly; None where no network was used or nothing printed so."""


class NodePort(Record):
    """Bytes that one RDMA port of one node carried while a collective ran, by its own counters; None: a counter ran backwards."""

    node: str
    adapter: str
    sent_bytes: int | None
    received_bytes: int | None


class Collective(Record):
    """One collective operation over some nodes."""

    collective: Literal["all_reduce", "all_gather", "reduce_scatter", "all_to_all", "broadcast", "sendrecv"]
    nodes: list[str]
    """Host names, in rank order."""
    ranks: list[Rank]
    library: Literal["nccl", "rccl", "hccl"]
    library_version: str
    """Empty where the output does not tell."""
    tool: str
    iterations: int | None
    warmup: int | None
    datatype: str
    algorithm: str
    """Algorithm of the largest size, where the tuning log tells (``NVLS``, ``RING``); else empty."""
    protocol: str
    rows: list[CollectiveRow]
    ports: list[NodePort] = []
    """Of all nodes, sorted; empty: nothing was counted."""


class Collectives(Record):
    """Collectives between nodes: every result that this node took part in."""

    results: list[Collective]


class NodeCollectives(Record):
    """Collectives among the accelerators of one node."""

    results: list[Collective]
