"""Explanations of the readings: faults of shared parts, of parts of each faulty node, and of the rest.

After the search among nodes the question splits: each faulty node is explained on its own, from tests in which it was the only faulty node, and readings without a faulty node are one further question.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial

import numpy as np

from rackwright.isolate import exercise
from rackwright.isolate.hypotheses import Explanations, WeightedReading, explain_readings
from rackwright.isolate.parts import PartIds
from rackwright.isolate.settings import IsolationSettings
from rackwright.isolate.trial import Trial, TrialResult
from rackwright.isolate.wiring import NONE

LIKELY = 0.5
PARTS_OF_A_NODE = 3
"""Most parts of one node that are assumed faulty together; beyond it the node itself is faulty."""
SHOWN = 2
"""Bad tests with different partners that blame a part."""
HIDDEN = 1.5
"""A part whose fault probability grew by less than this factor is not incriminated by any reading."""
Group = tuple[int, ...]


class Inference:
    """Explanations over `results`, a list that grows."""

    def __init__(self, atoms: PartIds, settings: IsolationSettings, results: Sequence[TrialResult]) -> None:
        self._atoms, self._known, self._told = atoms, settings, results
        self._seen: list[tuple[TrialResult, dict[int, WeightedReading]]] = []
        self._of: dict[int, dict[int, WeightedReading]] = {}
        self._all: tuple[int, Explanations] | None = None

    def everything(self) -> Explanations:
        """The explanations of all readings by parts of any kind."""
        readings = [reading for _, channels in self._read() for reading in channels.values()]
        if self._all is None or self._all[0] != len(readings):
            self._all = (len(readings), explain_readings(readings, self._chance))
        return self._all[1]

    def shared(self, faulty: Collection[int]) -> dict[Group, float]:
        """Shared parts and pairs with a fault probability above one half; tests of `faulty` nodes are excluded."""
        explanations = self.without_faulty_node(faulty) if faulty else self.everything()
        return {
            group: share
            for group, share in explanations.groups().items()
            if share > LIKELY and all(self._atoms.owner(atom) == NONE for atom in group)
        }

    def accepted(self, shared: dict[Group, float]) -> frozenset[int]:
        """The parts of `shared`; readings that depend on them are not evidence about nodes."""
        return frozenset(atom for group in shared for atom in group)

    def of_nodes(self, faulty: Collection[int], masked: Collection[int] = ()) -> dict[int, Explanations]:
        """Faulty node -> explanations by its parts, from tests without another faulty node."""
        by_node = {}
        for node in sorted(faulty):
            readings = [
                reading
                for result, channels in self._read()
                if node in result.trial.nodes and not (set(result.trial.nodes) & set(faulty)) - {node}
                for reading in channels.values()
                if not _about(reading, masked)
            ]
            atoms = self._atoms
            rails = (atoms.rail(node, slot) for slot in range(len(atoms.wiring.rails[node])))
            by_node[node] = explain_readings(
                readings, self._chance, {node, atoms.inside(node), *rails}, PARTS_OF_A_NODE
            )
        return by_node

    def without_faulty_node(self, faulty: Collection[int]) -> Explanations:
        """The explanations of tests without a faulty node."""
        out = set(faulty)
        readings = [
            reading
            for result, channels in self._read()
            if not out & set(result.trial.nodes)
            for reading in channels.values()
        ]
        return explain_readings(readings, self._chance)

    def settled(self, explanations: Explanations) -> bool:
        """Whether every part is decided: posterior above `sure` and confirmed by independent failures, or not above its
        prior.
        """
        return self.decided(explanations) and not self.unconfirmed(explanations)

    def decided(self, explanations: Explanations) -> bool:
        """Whether no part is undecided and no faulty part is ambiguous."""
        groups = explanations.groups()
        return all(
            (share >= self._known.sure and len(group) == 1)
            or (share < self._known.sure and self.hidden(explanations, group))
            for group, share in groups.items()
        )

    def hidden(self, explanations: Explanations, group: Group) -> bool:
        """Whether no reading incriminates a part: it is excluded, or always tested together with a faulty one."""
        return explanations.chance(group) <= max(1.0 - self._known.sure, HIDDEN * explanations.before.get(group, 0.0))

    def unconfirmed(self, explanations: Explanations) -> list[Group]:
        """Parts of the best explanation that only one test incriminates."""
        return [group for group in explanations.ranked[0].parts if not self.is_confirmed(group)]

    def is_confirmed(self, group: Group) -> bool:
        """Whether two tests that share no node besides the part's own have bad readings; for a pair, any two bad tests."""
        bad = self._bad(group)
        if self._atoms.kind(group[0]) == "pair":
            return len(bad) >= SHOWN
        return any(not (a & b) for index, a in enumerate(bad) for b in bad[index + 1 :])

    def confirming_tests(self, explanations: Explanations) -> list[Callable[[Trial], bool]]:
        """A predicate for each unconfirmed part: would this test confirm the part if it were bad as well?

        With two nodes no test can, because each is always tested with the other; then nothing is repeated.
        """
        return [partial(self._shows, group, self._bad(group)) for group in self.unconfirmed(explanations)]

    def _shows(self, group: Group, bad: Sequence[set[int]], trial: Trial) -> bool:
        if not any(group[0] in parts for parts in exercise.channels(self._atoms, trial).values()):
            return False
        partners = set(trial.nodes) - self._nodes_of(group)
        return self._atoms.kind(group[0]) == "pair" or any(not (partners & nodes) for nodes in bad)

    def _bad(self, group: Group) -> list[set[int]]:
        """The other nodes of each bad test of a part."""
        return [
            set(result.trial.nodes) - self._nodes_of(group)
            for result, channels in self._read()
            if any(reading.weight > 0 and group[0] in reading.parts for reading in channels.values())
        ]

    def _nodes_of(self, group: Group) -> set[int]:
        """The nodes that a part belongs to."""
        pair = self._atoms.kind(group[0]) == "pair"
        return set(self._atoms.ends(group[0])) if pair else {self._atoms.owner(group[0])}

    def spoiled(self, result: TrialResult, masked: Collection[int]) -> bool:
        """Whether a whole test depends on any of `masked`, so that it is not evidence about nodes."""
        if not masked or not result.ran:
            return False
        self._read()
        return any(_about(reading, masked) for reading in self._of[id(result)].values())

    def good(self) -> frozenset[int]:
        """Parts with at least one good reading."""
        return frozenset(
            atom
            for _, channels in self._read()
            for reading in channels.values()
            if reading.weight < 0
            for atom in reading.parts.tolist()
        )

    def _read(self) -> list[tuple[TrialResult, dict[int, WeightedReading]]]:
        """The evidence of each test, computed once."""
        for result in self._told[len(self._seen) :]:
            readings = {}
            for slot, parts in exercise.channels_with_readings(self._atoms, result).items():
                good, bad = self._known.search.noise.evidence(result.readings[slot])
                readings[slot] = WeightedReading(parts, bad - good)
            self._seen.append((result, readings))
            self._of[id(result)] = readings
        return self._seen

    def _chance(self, atom: int) -> float:
        share = self._known.chance[self._atoms.kind(atom)]
        return share * self._atoms.members(atom)


def _about(reading: WeightedReading, parts: Collection[int]) -> bool:
    return bool(parts) and bool(np.isin(reading.parts, np.array(sorted(parts), np.int64)).any())
