"""Every explanation that fits the readings: sets of faulty parts, ranked by probability.

Pure and without chance. Sets grow part
by part from the empty one ("nothing is faulty, readings were disturbed"); the best of each size grow on (a beam search), and probabilities are
those of Bayes over every set that was looked at. Parts that stand in the same readings are one: nothing tells them apart.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rackwright.isolate.posterior import Floats
from rackwright.isolate.wiring import Ints

WIDTH = 40
"""Sets of each size that grow on, and parts that each of them is tried with."""
DEEPEST = 12
HOPELESS = 14.0
"""A set this much below the best (as a logarithm) is not grown: less than one in a million."""
SHOWN = 1e-4
"""Explanations below this probability are not listed."""


@dataclass(frozen=True, eq=False)
class Seen:
    """One reading: the parts of which a bad one spoils it, and how much more probable it is spoiled, as a logarithm."""

    parts: Ints
    weight: float


@dataclass(frozen=True)
class Fit:
    """One explanation."""

    parts: tuple[tuple[int, ...], ...]
    """Faulty parts; each is one of several where no reading tells them apart."""
    probability: float


@dataclass(frozen=True)
class Fits:
    """What fits, best first; what is less probable than `SHOWN` is left out."""

    ranked: tuple[Fit, ...]
    before: Mapping[tuple[int, ...], float] = field(default_factory=dict)
    """How probable each part was before any test."""
    shares: Mapping[tuple[int, ...], float] = field(default_factory=dict)
    """How probable each part is now, over all explanations that were looked at: many small ones together may be much."""

    def chance(self, group: tuple[int, ...]) -> float:
        """How probable it is that `group` is among the faulty."""
        return self.shares.get(group, 0.0)

    def groups(self) -> dict[tuple[int, ...], float]:
        """Every part that is as probable as an explanation must be to be listed, the most probable first."""
        found = {group: share for group, share in self.shares.items() if share >= SHOWN}
        return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def fits(
    seen: Sequence[Seen], chance: Callable[[int], float], only: Collection[int] | None = None, deepest: int = DEEPEST
) -> Fits:
    """Explain `seen` with parts of any kind, or with `only` these; `deepest` is the most faulty parts of an explanation."""
    graph = _Graph.of(seen, chance, only)
    if graph is None:
        return Fits((Fit((), 1.0),))
    scores = _grow(graph, deepest)
    best = max(scores.values())
    weights = {members: np.exp(score - best) for members, score in scores.items() if score > best - HOPELESS}
    total = sum(weights.values())
    ranked = sorted(weights.items(), key=lambda item: (-item[1], item[0]))
    shown = [(members, float(weight / total)) for members, weight in ranked]
    shares = np.zeros(len(graph.groups))
    for members, probability in shown:
        shares[list(members)] += probability
    found = tuple(
        Fit(tuple(graph.groups[member] for member in members), probability)
        for index, (members, probability) in enumerate(shown)
        if probability >= SHOWN or index == 0
    )
    before = 1.0 / (1.0 + np.exp(-graph.odds))
    return Fits(
        found,
        *({group: float(share) for group, share in zip(graph.groups, each, strict=True)} for each in (before, shares)),
    )


@dataclass(frozen=True, eq=False)
class _Graph:
    groups: list[tuple[int, ...]]
    odds: Floats
    group: Ints
    """Per edge."""
    reading: Ints
    """Per edge."""
    weight: Floats
    """Per reading."""

    @classmethod
    def of(cls, seen: Sequence[Seen], chance: Callable[[int], float], only: Collection[int] | None) -> _Graph | None:
        """Parts that stand in some bad reading, those alike as one; None when there is nothing to explain."""
        bad = [one.parts for one in seen if one.weight > 0]
        wanted = np.unique(np.concatenate(bad)) if bad else np.zeros(0, np.int64)
        if only is not None:
            wanted = np.intersect1d(wanted, np.array(sorted(only), np.int64))
        if not len(wanted):
            return None
        kept = [np.flatnonzero(np.isin(wanted, one.parts, assume_unique=True)) for one in seen]
        atom = np.concatenate(kept)
        reading = np.repeat(np.arange(len(seen)), [len(one) for one in kept])
        mark = np.random.default_rng(0).integers(1 << 62, size=len(seen))  # sums of marks tell sets of readings apart
        sums = np.zeros(len(wanted), np.int64)
        np.add.at(sums, atom, mark[reading])
        _, first, alike = np.unique(sums, return_index=True, return_inverse=True)
        alike = alike.reshape(-1)
        order = np.argsort(alike, kind="stable")
        groups = [tuple(wanted[some].tolist()) for some in np.split(order, np.cumsum(np.bincount(alike))[:-1])]
        share = np.array([min(0.5, sum(chance(one) for one in group)) for group in groups])
        edge = np.isin(atom, first)
        return cls(
            groups, np.log(share) - np.log1p(-share), alike[atom[edge]], reading[edge],
            np.array([one.weight for one in seen]),
        )  # fmt: skip

    def gains(self, spoiled: NDArray[np.bool_]) -> Floats:
        """What each group adds to the score of a set that spoils these readings already."""
        left = np.where(spoiled, 0.0, self.weight)
        return np.asarray(self.odds + np.bincount(self.group, left[self.reading], minlength=len(self.groups)))

    def spoils(self, member: int, count: int) -> NDArray[np.bool_]:
        """The readings that a group stands in."""
        found = np.zeros(count, np.bool_)
        found[self.reading[self.group == member]] = True
        return found


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
        ranked = sorted((one for one in wider if scores[one] > floor), key=lambda one: (-scores[one], one))
        beam = {one: wider[one] for one in ranked[:WIDTH]}
        if not beam:
            break
    return scores
