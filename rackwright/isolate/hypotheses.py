"""Every explanation that fits the readings: sets of faulty parts, ranked by probability.

Deterministic. Sets grow part by part from the empty one ("nothing is faulty, readings were disturbed"). The best of each size grow further (a beam search), and probabilities follow by Bayes over every set that was evaluated.
Parts that appear in exactly the same readings are one group, because nothing distinguishes them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rackwright.isolate.posterior import Floats
from rackwright.isolate.wiring import Ints

WIDTH = 40
"""Sets of each size that grow further, and number of parts that extend each of them."""
DEEPEST = 12
HOPELESS = 14.0
"""A set that is this far below the best (natural logarithm) does not grow: less than one in a million."""
SHOWN = 1e-4
"""Explanations below this probability are not listed."""


@dataclass(frozen=True, eq=False)
class WeightedReading:
    """Parts that one reading depends on, and the log-likelihood ratio (natural logarithm) of bad against good."""

    parts: Ints
    weight: float


@dataclass(frozen=True)
class RankedExplanation:
    """One set of faulty parts with its probability."""

    parts: tuple[tuple[int, ...], ...]
    """Faulty parts, each as a group of parts that no reading distinguishes."""
    probability: float


@dataclass(frozen=True)
class Explanations:
    """Explanations, most probable first; those below `SHOWN` are omitted."""

    ranked: tuple[RankedExplanation, ...]
    before: Mapping[tuple[int, ...], float] = field(default_factory=dict)
    """Prior probability of each group."""
    shares: Mapping[tuple[int, ...], float] = field(default_factory=dict)
    """Posterior probability of each group over all evaluated sets: many improbable sets together may weigh much."""

    def chance(self, group: tuple[int, ...]) -> float:
        """Posterior probability that `group` is faulty."""
        return self.shares.get(group, 0.0)

    def groups(self) -> dict[tuple[int, ...], float]:
        """Groups with a posterior of at least `SHOWN`, most probable first."""
        likely = {group: share for group, share in self.shares.items() if share >= SHOWN}
        return dict(sorted(likely.items(), key=lambda item: (-item[1], item[0])))


def explain_readings(
    readings: Sequence[WeightedReading],
    chance: Callable[[int], float],
    only: Collection[int] | None = None,
    deepest: int = DEEPEST,
) -> Explanations:
    """Explain `readings` with parts of any kind, or `only` with these; `deepest` is the largest number of faulty parts."""
    graph = _Graph.of(readings, chance, only)
    if graph is None:
        return Explanations((RankedExplanation((), 1.0),))
    scores = _grow(graph, deepest)
    best = max(scores.values())
    weights = {members: np.exp(score - best) for members, score in scores.items() if score > best - HOPELESS}
    total = sum(weights.values())
    ranked = sorted(weights.items(), key=lambda item: (-item[1], item[0]))
    probable = [(members, float(weight / total)) for members, weight in ranked]
    shares = np.zeros(len(graph.groups))
    for members, probability in probable:
        shares[list(members)] += probability
    ranking = tuple(
        RankedExplanation(tuple(graph.groups[member] for member in members), probability)
        for index, (members, probability) in enumerate(probable)
        if probability >= SHOWN or index == 0
    )
    before = 1.0 / (1.0 + np.exp(-graph.odds))
    return Explanations(
        ranking,
        *({group: float(share) for group, share in zip(graph.groups, each, strict=True)} for each in (before, shares)),
    )


@dataclass(frozen=True, eq=False)
class _Graph:
    groups: list[tuple[int, ...]]
    odds: Floats
    group: Ints
    """Group of each edge."""
    reading: Ints
    """Reading of each edge."""
    weight: Floats
    """Weight of each reading."""

    @classmethod
    def of(
        cls, readings: Sequence[WeightedReading], chance: Callable[[int], float], only: Collection[int] | None
    ) -> _Graph | None:
        """Parts of bad readings, indistinguishable ones grouped; None when there is no bad reading."""
        bad = [reading_.parts for reading_ in readings if reading_.weight > 0]
        suspects = np.unique(np.concatenate(bad)) if bad else np.zeros(0, np.int64)
        if only is not None:
            suspects = np.intersect1d(suspects, np.array(sorted(only), np.int64))
        if not len(suspects):
            return None
        members = [np.flatnonzero(np.isin(suspects, reading_.parts, assume_unique=True)) for reading_ in readings]
        atom = np.concatenate(members)
        reading = np.repeat(np.arange(len(readings)), [len(member) for member in members])
        mark = np.random.default_rng(0).integers(
            1 << 62, size=len(readings)
        )  # sums of marks distinguish sets of readings
        sums = np.zeros(len(suspects), np.int64)
        np.add.at(sums, atom, mark[reading])
        _, first, alike = np.unique(sums, return_index=True, return_inverse=True)
        alike = alike.reshape(-1)
        order = np.argsort(alike, kind="stable")
        groups = [tuple(suspects[some].tolist()) for some in np.split(order, np.cumsum(np.bincount(alike))[:-1])]
        share = np.array([min(0.5, sum(chance(atom) for atom in group)) for group in groups])
        edge = np.isin(atom, first)
        return cls(
            groups, np.log(share) - np.log1p(-share), alike[atom[edge]], reading[edge],
            np.array([member.weight for member in readings]),
        )  # fmt: skip

    def gains(self, spoiled: NDArray[np.bool_]) -> Floats:
        """Gain of each group in the log-score of a set that already explains the readings in `spoiled`."""
        unexplained = np.where(spoiled, 0.0, self.weight)
        return np.asarray(self.odds + np.bincount(self.group, unexplained[self.reading], minlength=len(self.groups)))

    def spoils(self, member: int, count: int) -> NDArray[np.bool_]:
        """Mask over readings: whether each depends on the group `member`."""
        spoiled = np.zeros(count, np.bool_)
        spoiled[self.reading[self.group == member]] = True
        return spoiled


def _grow(graph: _Graph, deepest: int) -> dict[tuple[int, ...], float]:
    count = len(graph.weight)
    scores: dict[tuple[int, ...], float] = {(): 0.0}
    spoils: dict[int, NDArray[np.bool_]] = {}
    beam: dict[tuple[int, ...], NDArray[np.bool_]] = {(): np.zeros(count, np.bool_)}
    for _ in range(deepest):
        wider: dict[tuple[int, ...], NDArray[np.bool_]] = {}
        for members, spoiled in beam.items():
            gains = graph.gains(spoiled)
            gains[list(members)] = -np.inf
            for member in np.argsort(-gains, kind="stable")[:WIDTH].tolist():
                grown = tuple(sorted((*members, member)))
                if grown in scores or gains[member] == -np.inf:
                    continue
                scores[grown] = scores[members] + float(gains[member])
                if member not in spoils:
                    spoils[member] = graph.spoils(member, count)
                wider[grown] = spoiled | spoils[member]
        floor = max(scores.values()) - HOPELESS
        ranked = sorted(
            (members for members in wider if scores[members] > floor), key=lambda members: (-scores[members], members)
        )
        beam = {members: wider[members] for members in ranked[:WIDTH]}
        if not beam:
            break
    return scores
