"""Isolation tests around rings of nodes: all rails at the same time, each from its sender's adapter to its receiver's.

A rail counts if every one of its flows was measured, and if its port carried the bytes that the tool reports. The share of
line rate that the plan leaves to flows between rails is divided out (`isolate.link_load`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rackwright import compare
from rackwright.collect import group
from rackwright.compare import loads
from rackwright.isolate.link_load import RailFlow, flows, remaining_rates
from rackwright.isolate.parts import PartIds
from rackwright.isolate.trial import Trial
from rackwright.model.check import Expectation
from rackwright.model.design import Design
from rackwright.model.evidence.rail import RailRing, RingFlow

COLLECTOR = "rail_ring"
METRIC, CARRIED = "rail.ring_share", "rail.carried_share"


@dataclass(frozen=True)
class Lane:
    """The slowest flow of one rail of a test."""

    value: float
    """Share of line rate, or of what the cables between switches leave of it."""
    floor: float


class Rings:
    """Ring tests over one wiring."""

    def __init__(self, design: Design, atoms: PartIds, expectations: Mapping[str, Expectation]) -> None:
        self._atoms, self._expectations = atoms, expectations
        self._served = {node: group.rail_adapters(design, node) for node in atoms.wiring.nodes}
        self._rates = {
            name: {a: link.gbps for a, link in loads.planned_rails(expectation).items()}
            for name, expectation in expectations.items()
        }

    def words(self, trial: Trial) -> str:
        """Value of ``{flows}`` in the command of a ring test; empty if no rails of the test are connected."""
        return " ".join(
            group.flow_word(self._end(flow.sender, flow.slot), self._end(flow.receiver, flow.receiving_slot))
            for flow in flows(self._atoms, trial)
        )

    def read(
        self, trials: Sequence[Trial], measured: Mapping[int, RailRing], at_once: Sequence[int]
    ) -> dict[int, Mapping[int, Lane]]:
        """Index in `trials` -> slot of the sender -> slowest flow, for the rings in `measured`; the tests at `at_once` ran at the same time."""
        remaining = remaining_rates(self._atoms, [trials[at] for at in at_once])
        return {at: self._lanes(trials[at], ring, remaining) for at, ring in measured.items()}

    def _lanes(self, trial: Trial, ring: RailRing, remaining: Mapping[RailFlow, float]) -> dict[int, Lane]:
        measured = {
            (reading.node, reading.adapter, reading.peer, reading.peer_adapter): reading for reading in ring.flows
        }
        lanes_by_slot: dict[int, list[Lane | None]] = {}
        for flow in flows(self._atoms, trial):
            reading = measured.get(
                (*self._end(flow.sender, flow.slot)[:2], *self._end(flow.receiver, flow.receiving_slot)[:2])
            )
            lanes_by_slot.setdefault(flow.slot, []).append(
                None if reading is None else self._lane(reading, remaining[flow])
            )
        return {
            slot: min(measured_lanes, key=lambda lane: lane.value)
            for slot, lanes in lanes_by_slot.items()
            if len(measured_lanes := [lane for lane in lanes if lane is not None]) == len(lanes)
        }

    def _lane(self, flow: RingFlow, share: float) -> Lane | None:
        """The flow as a share of line rate with its limit; None without a limit, or if another port carried the traffic."""
        expectation = self._expectations[flow.node]
        floor, carried = (compare.floor(expectation, metric) for metric in (METRIC, CARRIED))
        rates = (self._rates[flow.node].get(flow.adapter), self._rates[flow.peer].get(flow.peer_adapter))
        if floor is None or carried is None or not all(rates):
            return None
        if flow.sent_bytes is not None and flow.reported_bytes and flow.sent_bytes < carried.fail * flow.reported_bytes:
            return None
        line = min(rate for rate in rates if rate)
        return Lane(flow.gbits_per_s / line / share, floor.fail)

    def _end(self, node: int, slot: int) -> group.End:
        name, port = self._atoms.wiring.nodes[node], self._atoms.wiring.rails[node][slot]
        return name, port, self._served[name][port]
