"""The readings of tests between nodes that fleet checks compare."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from math import isfinite
from typing import NamedTuple

from rackwright.compare import loads
from rackwright.compare.node_columns import Names, shared
from rackwright.model.evidence.collective import Collective, Collectives
from rackwright.model.evidence.rail import RailBandwidth, RailDelay, RailLatency, RailSpeed


class RailTest(NamedTuple):
    """One test from an adapter to the same rail of a peer."""

    node: str
    adapter: str
    peer: str
    value: float
    slot: str
    """The readings of other nodes with the same slot are compared."""
    memory: str
    """The memory from which data was sent."""


class RailTests(NamedTuple):
    """The tests of one node, as columns."""

    nodes: Names
    adapters: Names
    peers: Names
    values: bytes
    """Native doubles."""
    slots: Names
    memories: Names

    def each(self) -> Iterator[RailTest]:
        """The tests one by one."""
        columns = (self.nodes, self.adapters, self.peers, array("d", self.values), self.slots, self.memories)
        return map(RailTest._make, zip(*columns, strict=True))


def rail_speeds(bandwidth: RailBandwidth) -> RailTests:
    """The tests with the speed of every rail in Gb/s."""
    slots = tuple([_slot(rail) for rail in bandwidth.rails])
    memories = ["host memory" if rail.accelerator is None else f"GPU {rail.accelerator}" for rail in bandwidth.rails]
    return _tests(bandwidth.rails, [rail.gbits_per_s for rail in bandwidth.rails], slots, tuple(memories))


def rail_delays(latency: RailLatency) -> RailTests:
    """The tests with the typical latency of every rail in microseconds."""
    empty = ("",) * len(latency.rails)
    return _tests(latency.rails, [rail.microseconds_typical for rail in latency.rails], empty, empty)


def _tests(rails: list[RailSpeed] | list[RailDelay], values: list[float], slots: Names, memories: Names) -> RailTests:
    ends = [(shared(rail.node), shared(rail.adapter), shared(rail.peer)) for rail in rails]
    nodes, adapters, peers = zip(*ends, strict=True) if ends else ((), (), ())
    return RailTests(
        shared(nodes), shared(adapters), peers, array("d", values).tobytes(), shared(slots), shared(memories)
    )


def _slot(rail: RailSpeed) -> str:
    memory = "host memory" if rail.accelerator is None else "accelerator memory"
    return f"{rail.bytes} B {'both ways' if rail.bidirectional else 'one way'}, {memory}"


class Group(NamedTuple):
    """One collective over some nodes."""

    collective: str
    nodes: Names
    transport: str
    """The transport that is proven for every rank; empty if none is."""
    large: bool
    """Whether one of its rows is judged, and has a finite bandwidth."""
    reached: float
    """Bandwidth of the largest row in GB/s: bus bandwidth in an NVLink domain, otherwise on each accelerator's share of
    the network.
    """
    curve: str
    """Bus bandwidth at every size, in words."""
    ranks: int
    """Accelerators of all nodes that took part."""


def collective_groups(collectives: Collectives) -> tuple[Group, ...]:
    """Every collective that a node took part in."""
    return shared(tuple([_group(result) for result in collectives.results]))


def _group(result: Collective) -> Group:
    way, rows, nodes = (
        loads.proven_transport(result),
        loads.large_rows(result),
        tuple([shared(node) for node in result.nodes]),
    )
    reached = 0.0
    if way and rows and len(nodes) > 1:
        reached = rows[-1].busbw_gbytes_per_s if way == "mnnvl" else loads.wire_bandwidth(result, rows[-1])
    large = bool(rows) and isfinite(reached)
    return Group(result.collective, nodes, way, large, reached, loads.bandwidth_curve(result), len(result.ranks))
