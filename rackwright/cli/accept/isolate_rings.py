"""Tests of an isolation around rings of nodes, all rails at the same time, each from the adapter of its sender to that of its receiver.

A rail
counts when every flow of it was measured, and when its own port carried what the tool says that it sent. What the plan gives flows from rail to
rail less cables for is taken out (`isolate.room`).
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
    """Of line rate, or of what the cables between switches leave of it."""
    floor: float


class Rings:
    """Rings over one wiring."""

    def __init__(self, design: Design, atoms: PartIds, expectations: Mapping[str, Expectation]) -> None:
        self._atoms, self._expectations = atoms, expectations
        self._served = {node: group.served(design, node) for node in atoms.wiring.nodes}
        self._rates = {
            name: {a: link.gbps for a, link in loads.rails(one).items()} for name, one in expectations.items()
        }

    def words(self, trial: Trial) -> str:
        """``{flows}``; empty where no rails of the test are joined."""
        return " ".join(
            group.flow(self._end(one.sender, one.slot), self._end(one.receiver, one.receiving_slot))
            for one in flows(self._atoms, trial)
        )

    def read(
        self, trials: Sequence[Trial], measured: Mapping[int, RailRing], at_once: Sequence[int]
    ) -> dict[int, Mapping[int, Lane]]:
        """By place in `trials` and slot of the sender, for what was `measured`; the tests at `at_once` ran at the same time."""
        left = remaining_rates(self._atoms, [trials[at] for at in at_once])
        return {at: self._lanes(trials[at], seen, left) for at, seen in measured.items()}

    def _lanes(self, trial: Trial, seen: RailRing, left: Mapping[RailFlow, float]) -> dict[int, Lane]:
        said = {(one.node, one.adapter, one.peer, one.peer_adapter): one for one in seen.flows}
        found: dict[int, list[Lane | None]] = {}
        for flow in flows(self._atoms, trial):
            one = said.get((*self._end(flow.sender, flow.slot)[:2], *self._end(flow.receiver, flow.receiving_slot)[:2]))
            found.setdefault(flow.slot, []).append(None if one is None else self._lane(one, left[flow]))
        return {
            slot: min(whole, key=lambda lane: lane.value)
            for slot, lanes in found.items()
            if len(whole := [lane for lane in lanes if lane is not None]) == len(lanes)
        }

    def _lane(self, one: RingFlow, left: float) -> Lane | None:
        """None without a limit, and when another port carried it."""
        expectation = self._expectations[one.node]
        floor, carried = (compare.floor(expectation, metric) for metric in (METRIC, CARRIED))
        rates = (self._rates[one.node].get(one.adapter), self._rates[one.peer].get(one.peer_adapter))
        if floor is None or carried is None or not all(rates):
            return None
        if one.sent_bytes is not None and one.reported_bytes and one.sent_bytes < carried.fail * one.reported_bytes:
            return None
        line = min(rate for rate in rates if rate)
        return Lane(one.gbits_per_s / line / left, floor.fail)

    def _end(self, node: int, slot: int) -> group.End:
        name, port = self._atoms.wiring.nodes[node], self._atoms.wiring.rails[node][slot]
        return name, port, self._served[name][port]
