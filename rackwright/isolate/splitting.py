"""How well tests distinguish explanations: which test would be bad under which explanation, and the information gain in bits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rackwright.isolate.exercise import channels
from rackwright.isolate.hypotheses import Explanations
from rackwright.isolate.parts import PartIds
from rackwright.isolate.posterior import Floats
from rackwright.isolate.scenarios import Bools
from rackwright.isolate.trial import OVERALL, Trial
from rackwright.isolate.wiring import Ints

LEAST_BITS = 0.005
"""A test with a lower expected gain is not worth its minutes."""
MEMBERS = 64
"""Members of an ambiguous group that are distinguished at once."""
SETS = 256
"""Explanations, with their members written out, that are distinguished at once."""


class Splitting:
    """Explanations as rows of a table, one column per part."""

    def __init__(self, atoms: PartIds, fits: Explanations, *, rails_are_read: bool) -> None:
        self._atoms, self._rails_are_read = atoms, rails_are_read
        sets, weight = _sets(fits)
        self._parts: Ints = np.unique(np.array([part for members in sets for part in members] or [0], np.int64))
        self._faulty: Bools = np.array([np.isin(self._parts, sorted(members)) for members in sets])
        self._weight = weight

    def most_telling(self, ready: Sequence[Trial], busy: set[int]) -> list[Trial]:
        """Tests from `ready` without `busy` nodes, each worth `LEAST_BITS` or more beyond those before it."""
        outcomes = {trial: self._outcome(trial) for trial in ready}
        used, chosen = set(busy), list[Trial]()
        labels: Ints = np.zeros(len(self._weight), np.int64)
        while free := [trial for trial in ready if not used & set(trial.nodes)]:
            gains = [self._bits(_joined(labels, outcomes[trial])) for trial in free]
            if max(gains) - self._bits(labels) < LEAST_BITS:
                break
            best = free[int(np.argmax(gains))]
            labels = _joined(labels, outcomes[best])
            chosen.append(best)
            used |= set(best.nodes)
        return chosen

    def _outcome(self, trial: Trial) -> Ints:
        """Per explanation, a number for the set of readings of `trial` that would be bad."""
        label: Ints = np.zeros(len(self._weight), np.int64)
        for slot, parts in sorted(channels(self._atoms, trial).items()):
            if self._is_read(trial, slot):
                about: NDArray[np.bool_] = np.isin(self._parts, parts)
                bad: Bools = np.any(self._faulty[:, about], axis=1)
                label = _joined(label, np.asarray(bad, np.int64))
        return label

    def _is_read(self, trial: Trial, slot: int) -> bool:
        return not (self._rails_are_read and trial.rails_alone) if slot == OVERALL else self._rails_are_read

    def _bits(self, labels: Ints) -> float:
        """Bits that identify the label (Shannon 1948)."""
        shares = np.bincount(labels, self._weight)
        shares = shares[shares > 0]
        return float(-(shares * np.log2(shares)).sum())


def _joined(labels: Ints, further: Ints) -> Ints:
    """One small number for each pair of labels."""
    both = labels * (int(further.max(initial=0)) + 1) + further
    return np.asarray(np.unique(both, return_inverse=True)[1], np.int64).reshape(-1)


def _sets(fits: Explanations) -> tuple[list[frozenset[int]], Floats]:
    """Explanations with "one of several" written out, one set per member, and their weights."""
    weight: list[float] = []
    sets: list[frozenset[int]] = []
    for fit in fits.ranked:
        if len(sets) >= SETS:
            break
        widest = max(fit.parts, key=len, default=())
        fixed = frozenset(group[0] for group in fit.parts if group != widest)
        members = widest[:MEMBERS]
        sets += [fixed | {member} for member in members] or [fixed]
        weight += [fit.probability / max(1, len(members))] * max(1, len(members))
    return sets, np.array(weight) / sum(weight)
