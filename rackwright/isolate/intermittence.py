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
"""Frequencies that are distinguished; the first one is a fault that always shows."""
WIDTH = 12
"""Sets of each size that grow further: the cost of `explain` is in proportion."""
KEPT = 150
"""Sets of each size that are scored."""
DEEPEST = 14
"""Faulty classes in one set at most: nearly three times the five faulty nodes of a search."""
HOPELESS = 12.0
"""A set this far below the best (natural logarithm) is dropped."""
CLEAR = -4.0
"""A reading whose log-likelihood ratio is below this is good evidence for each of its parts alone."""


@dataclass(frozen=True)
class FaultSet:
    """One set of faulty classes, and its probability."""

    members: tuple[tuple[int, int], ...]
    """(class, index of its frequency in `SHOWN`)"""
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
    classes, base, inside = _classes(readings, bad, prior, intermittent)
    scores = _grow(base, inside, np.array([reading.weight for reading in bad]))
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
) -> tuple[tuple[tuple[int, ...], ...], Floats, Floats]:
    """(classes, log-odds of each with each frequency by its prior and its good readings, which bad readings each is in)."""
    good: dict[int, list[float]] = {}
    for reading in readings:
        if reading.weight <= CLEAR:
            for part in reading.parts:
                good.setdefault(part, []).append(reading.weight)
    within: dict[tuple[tuple[int, ...], int], list[int]] = {}
    for part in sorted(frozenset[int]().union(*(reading.parts for reading in bad if reading.weight > 0))):
        pattern = tuple(at for at, reading in enumerate(bad) if part in reading.parts)
        within.setdefault((pattern, len(good.get(part, ()))), []).append(part)
    shares = np.where(SHOWN == 1.0, 1.0 - intermittent, intermittent / (len(SHOWN) - 1))
    base, inside = np.zeros((len(within), len(SHOWN))), np.zeros((len(within), len(bad)))
    for at, ((pattern, _), parts) in enumerate(within.items()):
        inside[at, list(pattern)] = 1.0
        hidden = sum(np.log1p(-SHOWN + SHOWN * np.exp(weight)) for weight in good.get(parts[0], ()))
        base[at] = np.log(len(parts) * prior / (1.0 - prior) * shares) + hidden
    return tuple(tuple(parts) for parts in within.values()), base, inside


def _grow(base: Floats, inside: Floats, weight: Floats) -> dict[tuple[tuple[int, int], ...], float]:
    ratio = np.exp(weight)
    scores: dict[tuple[tuple[int, int], ...], float] = {(): 0.0}
    beam: list[tuple[tuple[tuple[int, int], ...], float, Floats]] = [((), 0.0, np.ones(len(weight)))]
    hides = 1.0 - SHOWN[None, :, None] * inside[:, None, :]
    for _ in range(DEEPEST):
        hidden = np.array([hide for _, _, hide in beam])
        wider = hidden[:, None, None] * hides
        sums = np.log(wider + (1.0 - wider) * ratio).sum(axis=-1)
        score = np.array([score for _, score, _ in beam])[:, None, None] + base + sums
        for row, (members, _, _) in enumerate(beam):
            score[row, [group for group, _ in members]] = -np.inf
        floor = max(*scores.values(), float(score.max())) - HOPELESS
        flat = score.reshape(-1)
        order = np.argsort(-flat, kind="stable")[:KEPT]
        grown: dict[tuple[tuple[int, int], ...], tuple[float, Floats]] = {}
        for place in order[flat[order] > floor].tolist():
            row, group, level = (int(index) for index in np.unravel_index(place, score.shape))
            members = tuple(sorted((*beam[row][0], (group, level))))
            if members in scores or members in grown:
                continue
            grown[members] = (float(flat[place]), wider[row, group, level])
        if not grown:
            break
        scores |= {members: score for members, (score, _) in grown.items()}
        beam = [
            (members, score - float(np.log(hide + (1.0 - hide) * ratio).sum()), hide)
            for members, (score, hide) in list(grown.items())[:WIDTH]
        ]
    return scores
