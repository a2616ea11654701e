"""Counts how often rounds of tests exercise every part: the raw figures of a proof of coverage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from rackwright.isolate.paths import Bundle, SwitchPaths
from rackwright.isolate.trial import Trial
from rackwright.isolate.wiring import NONE, Ints, NumberedWiring

FLOWS = 1 << 32
"""Two ends of a flow as one number."""


@dataclass
class Touches:
    """Rows (part, test, partner)."""

    rows: list[Ints] = field(default_factory=list)

    def add(self, part: Ints, test: Ints, partner: Ints) -> None:
        """One row per element."""
        self.rows.append(np.stack([part, test, partner]))

    def counts(self, parts: int) -> tuple[Ints, Ints, Ints]:
        """Per part: tests, distinct partners, most partners of one test."""
        if not self.rows:
            return (np.zeros(parts, np.int64),) * 3
        part, test, partner = np.concatenate(self.rows, axis=1)
        tests = np.unique(np.stack([part, test]), axis=1)
        partners = np.unique(np.stack([part, partner]), axis=1)
        each, size = np.unique(np.unique(np.stack([part, test, partner]), axis=1)[:2], axis=1, return_counts=True)
        most = np.zeros(parts, np.int64)
        np.maximum.at(most, each[0], size)
        return np.bincount(tests[0], minlength=parts), np.bincount(partners[0], minlength=parts), most


@dataclass
class ExerciseCounts:
    """Everything that rounds of tests exercise; add rounds one by one."""

    wiring: NumberedWiring
    paths: SwitchPaths
    nodes: Touches = field(default_factory=Touches)
    rails: Touches = field(default_factory=Touches)
    leaves: Touches = field(default_factory=Touches)
    domains: Touches = field(default_factory=Touches)
    flows: list[dict[Bundle, Ints]] = field(default_factory=list)
    """Per round: flows (sending rail, receiving rail) over every bundle, each as one number."""
    tests: int = 0
    pathless: int = 0
    """Flows between rails without a path."""

    def add(self, round_: Sequence[Trial]) -> None:
        """Count one round."""
        flows_here: dict[Bundle, list[Ints]] = {}
        for slot, hops in self._hops(round_):
            a, b, test, receiving_slot = hops
            near, far = self.wiring.leaf[a, slot], self.wiring.leaf[b, receiving_slot]
            connected = (near != NONE) & (far != NONE)
            self._wire(slot, tuple(column[connected] for column in (a, b, test, receiving_slot, near, far)), flows_here)
        self.tests += len(round_)
        self.flows.append({bundle: np.unique(np.concatenate(flows)) for bundle, flows in flows_here.items()})

    def joined(self, round_: Sequence[Trial]) -> ExerciseCounts:
        """A copy with a further round."""
        nodes, rails, leaves, domains = (
            Touches(list(touches.rows)) for touches in (self.nodes, self.rails, self.leaves, self.domains)
        )
        tally = ExerciseCounts(
            self.wiring, self.paths, nodes, rails, leaves, domains, list(self.flows), self.tests, self.pathless
        )
        tally.add(round_)
        return tally

    def _hops(self, round_: Sequence[Trial]) -> list[tuple[int, tuple[Ints, Ints, Ints, Ints]]]:
        """Per sending slot: sender, receiver, test and receiving slot of all hops; NVLink tests are counted at once."""
        slots: dict[int, list[tuple[int, int, int, int]]] = {}
        for index, trial in enumerate(round_):
            test = self.tests + index
            ends = np.array(trial.hops, np.int64)
            both = np.concatenate([ends[:, 0], ends[:, 1]]), np.concatenate([ends[:, 1], ends[:, 0]])
            self.nodes.add(both[0], np.full(len(both[0]), test), both[1])
            if trial.over == "nvlink":
                flow = ends.min(axis=1) * FLOWS + ends.max(axis=1)
                self.domains.add(self.wiring.domain[ends[:, 0]], np.full(len(ends), test), flow)
                continue
            for slot in trial.rails or range(self.wiring.slots):
                receiving_slot = (slot + trial.shift) % self.wiring.slots
                slots.setdefault(slot, []).extend((a, b, test, receiving_slot) for a, b in trial.hops)
        return [(slot, tuple(np.array(rows, np.int64).T)) for slot, rows in slots.items()]

    def _wire(self, slot: int, hops: tuple[Ints, ...], flows_here: dict[Bundle, list[Ints]]) -> None:
        a, b, test, receiving_slot, near, far = hops
        sender, receiver = a * self.wiring.slots + slot, b * self.wiring.slots + receiving_slot
        self.rails.add(
            np.concatenate([sender, receiver]), np.concatenate([test, test]), np.concatenate([receiver, sender])
        )
        flow = sender * FLOWS + receiver
        both = unordered(flow)
        self.leaves.add(np.concatenate([near, far]), np.concatenate([test, test]), np.concatenate([both, both]))
        ways, of, size = np.unique(near * FLOWS + far, return_inverse=True, return_counts=True)
        mine = np.split(flow[np.argsort(of, kind="stable")], np.cumsum(size)[:-1]) if len(flow) else []
        for way, flows in zip(ways.tolist(), mine, strict=True):
            bundles = self.paths.between(*divmod(way, FLOWS))
            self.pathless += len(flows) if bundles is None else 0
            for bundle in bundles or ():
                flows_here.setdefault(bundle, []).append(flows)


def unordered(flow: Ints) -> Ints:
    """Flows as (lower end, higher end), whichever end sent."""
    return np.asarray(np.minimum(flow // FLOWS, flow % FLOWS) * FLOWS + np.maximum(flow // FLOWS, flow % FLOWS))
