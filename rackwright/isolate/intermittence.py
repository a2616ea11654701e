"""Explanations of the readings by faults that need not show in every test: sets of faulty parts with how often each shows, ranked by probability.

A faulty part spoils a test with its frequency f, so a test is good with probability (1 - f1)(1 - f2)... over its faulty parts. Sets grow fault by
fault (a beam search), and probabilities follow by Bayes over every set that was scored. Parts that were in the same bad tests and in as many good
ones are one class, because nothing distinguishes them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rackwright.isolate.posterior import Floats
from rackwright.isolate.scenarios import GroupReading

SHOWN = np.array([1.0, 0.9, 0.75, 0.6, 0.45, 0.3, 0.15])
"""Frequencies that are distinguished; the first is that of a fault that always shows."""
WIDTH = 12
"""Sets of each size that grow further; the cost of `explain` is proportional to it."""
KEPT = 150
"""Sets of each size that are scored."""
DEEPEST = 14
"""Most faulty classes in one set: nearly three times the five faulty nodes of a search."""
HOPELESS = 12.0
"""A set this far below the best (natural logarithm) is dropped."""
CLEAR = -4.0
"""A reading whose log-likelihood ratio is below this is good evidence for each of its parts alone."""

Members = tuple[tuple[int, int], ...]
"""(class, index of its frequency in `SHOWN`) of each faulty class of a set."""


@dataclass(frozen=True)
class FaultSet:
    """One set of faulty classes, and its probability."""

    members: Members
    probability: float


@dataclass(frozen=True)
class FrequencySets:
    """The sets that explain the readings."""

    classes: tuple[tuple[int, ...], ...]
    """Parts of bad readings; those that no reading distinguishes are one class."""
    sets: tuple[FaultSet, ...]
    """Most probable first."""
    chance: Mapping[int, float]
    """Posterior fault probability by part; parts of good readings alone are not in it."""
    frequency: Mapping[int, float]
    """Mean frequency of a part, if it is faulty."""


def explain(readings: Sequence[GroupReading], prior: float, intermittent: float) -> FrequencySets:
    """`prior`: share of faulty parts; `intermittent`: share of those that do not always show."""
    bad = [reading for reading in readings if reading.weight > CLEAR]
    if not any(reading.weight > 0 for reading in bad):
        return FrequencySets((), (FaultSet((), 1.0),), {}, {})
    classes, base, patterns = _classes(readings, bad, prior, intermittent)
    scores = _grow(base, patterns, np.array([reading.weight for reading in bad]))
    best = max(scores.values())
    weights = {members: np.exp(score - best) for members, score in scores.items() if score > best - HOPELESS}
    total = sum(weights.values())
    ranked = sorted(weights.items(), key=lambda item: (-item[1], item[0]))
    sets = tuple(FaultSet(members, float(weight / total)) for members, weight in ranked)
    chance, weighted = np.zeros(len(classes)), np.zeros(len(classes))
    for entry in sets:
        for group, level in entry.members:
            chance[group] += entry.probability
            weighted[group] += entry.probability * SHOWN[level]
    each = {part: float(chance[at]) / len(parts) for at, parts in enumerate(classes) for part in parts}
    mean = {
        part: float(weighted[at] / chance[at]) if chance[at] else 1.0
        for at, parts in enumerate(classes)
        for part in parts
    }
    return FrequencySets(classes, sets, each, mean)


def _classes(
    readings: Sequence[GroupReading], bad: Sequence[GroupReading], prior: float, intermittent: float
) -> tuple[tuple[tuple[int, ...], ...], Floats, list[tuple[int, ...]]]:
    """(classes, log-odds of each with each frequency by its prior and its good readings, the bad readings that each is in)."""
    good = [reading for reading in readings if reading.weight <= CLEAR]
    weight = np.array([reading.weight for reading in good])[:, None]
    hides = np.log1p(-SHOWN + SHOWN * np.exp(weight))
    tests, patterns = _tests_of(good), _tests_of(bad)
    within: dict[tuple[tuple[int, ...], int], list[int]] = {}
    for part in sorted(frozenset[int]().union(*(reading.parts for reading in bad if reading.weight > 0))):
        within.setdefault((tuple(patterns[part]), len(tests.get(part, ()))), []).append(part)
    shares = np.where(SHOWN == 1.0, 1.0 - intermittent, intermittent / (len(SHOWN) - 1))
    base = np.zeros((len(within), len(SHOWN)))
    for at, parts in enumerate(within.values()):
        hidden = hides[tests.get(parts[0], [])].sum(axis=0)
        base[at] = np.log(len(parts) * prior / (1.0 - prior) * shares) + hidden
    return tuple(tuple(parts) for parts in within.values()), base, [pattern for pattern, _ in within]


def _tests_of(readings: Sequence[GroupReading]) -> Mapping[int, list[int]]:
    """Part -> indices in `readings` of its tests."""
    tests: dict[int, list[int]] = {}
    for at, reading in enumerate(readings):
        for part in reading.parts:
            tests.setdefault(part, []).append(at)
    return tests


def _grow(base: Floats, patterns: Sequence[tuple[int, ...]], weight: Floats) -> dict[Members, float]:
    """Log-scores of sets; a class changes only the bad readings that it is in (`patterns`), each according to what the
    set hides of it.
    """
    ratio = np.exp(weight)[:, None, None]
    starts = np.cumsum([0, *(len(pattern) for pattern in patterns[:-1])])
    edges = np.concatenate([np.array(pattern, np.int64) for pattern in patterns])
    scores: dict[Members, float] = {(): 0.0}
    beam: list[tuple[Members, float, Floats]] = [((), 0.0, np.ones(len(weight)))]
    for _ in range(DEEPEST):
        hidden = np.array([hide for _, _, hide in beam]).T[:, :, None]
        wider = hidden * (1.0 - SHOWN)
        gains = np.log(wider + (1.0 - wider) * ratio) - np.log(hidden + (1.0 - hidden) * ratio)
        sums = np.add.reduceat(gains.reshape(len(weight), -1)[edges], starts, axis=0).reshape(-1, *gains.shape[1:])
        score = np.array([score for _, score, _ in beam])[:, None, None] + base + sums.transpose(1, 0, 2)
        for row, (members, _, _) in enumerate(beam):
            score[row, [group for group, _ in members]] = -np.inf
        grown = _best(beam, scores, score)
        if not grown:
            break
        scores |= {members: float(score[place]) for members, place in grown.items()}
        beam = [
            (members, scores[members], _hide(beam[row][2], patterns[group], SHOWN[level]))
            for members, (row, group, level) in list(grown.items())[:WIDTH]
        ]
    return scores


def _best(
    beam: Sequence[tuple[Members, float, Floats]], scores: Mapping[Members, float], score: Floats
) -> dict[Members, tuple[int, int, int]]:
    """New sets and their places in `score`, which has shape (beam, classes, frequencies); the most probable first."""
    flat = score.reshape(-1)
    floor = max(*scores.values(), float(flat.max())) - HOPELESS
    order = np.argsort(-flat, kind="stable")[:KEPT]
    grown: dict[Members, tuple[int, int, int]] = {}
    places = np.unravel_index(order[flat[order] > floor], score.shape)
    for row, group, level in zip(*(place.tolist() for place in places), strict=True):
        members = tuple(sorted((*beam[row][0], (group, level))))
        if members not in scores:
            grown.setdefault(members, (row, group, level))
    return grown


def _hide(hidden: Floats, pattern: tuple[int, ...], frequency: float) -> Floats:
    """Probability, by bad reading, that no member of a set shows in it, after adding one member."""
    wider = hidden.copy()
    wider[list(pattern)] *= 1.0 - frequency
    return wider
