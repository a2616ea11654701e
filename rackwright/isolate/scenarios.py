"""Sets of faulty parts that fit every test so far, sampled by their probability.

The seed is an argument. Gibbs sampling with two moves: a part changes its loss, and two parts exchange their losses; without the second move "it is this part" never becomes "it is that one", because the path leads over "it is neither". Two tests with the same loss are probably bad because of the same part, so parts
have a loss here and not only good or bad: it tells where to test next. Decisions never rest on these samples.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rackwright.isolate.posterior import Floats
from rackwright.isolate.wiring import Ints

Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class GroupReading:
    """A test that ran: its parts, and the likelihoods of its reading from `Noise`."""

    parts: frozenset[int]
    evidence: tuple[float, float]
    levels: Floats
    """Shape (levels,), as from `Noise.levels`."""

    @cached_property
    def weight(self) -> float:
        """Log-likelihood ratio (natural logarithm) of some part bad against all good."""
        return self.evidence[1] - self.evidence[0]


def draw_scenarios(
    probabilities: Floats,
    prior: Floats,
    readings: Sequence[GroupReading],
    suspects: Sequence[int],
    *,
    sets: int,
    sweeps: int,
    seed: int,
) -> Bools:
    """Shape (sets, suspects): which suspects are faulty in each set; all other parts count as good."""
    chance = np.random.default_rng(seed)
    state = _State(probabilities, prior, readings, suspects, chance.random((2, sets, len(suspects))))
    for _ in range(sweeps):
        chances = chance.random((2, len(suspects), sets))
        for part in range(len(suspects)):
            state.change(part, chances[0, part])
        for turn, pair in enumerate(chance.integers(len(suspects), size=(len(suspects), 2))):
            state.swap(int(pair[0]), int(pair[1]), np.log(chances[1, turn]))
    return np.asarray(state.loss.T > 0)


class _State:
    """Many sets at once: the loss level of each part (0: good), and the largest loss in each test."""

    def __init__(
        self,
        probabilities: Floats,
        prior: Floats,
        readings: Sequence[GroupReading],
        suspects: Sequence[int],
        chance: Floats,
    ) -> None:
        place = {part: index for index, part in enumerate(suspects)}
        tested = [(reading, [place[part] for part in reading.parts if part in place]) for reading in readings]
        tested = [(reading, inside) for reading, inside in tested if inside]
        levels = len(readings[0].levels) if readings else 1
        each = np.arange(levels + 1)
        weight = np.array([[0.0, *(reading.weight + reading.levels)] for reading, _ in tested]).reshape(-1, levels + 1)
        self._weight = weight[:, np.maximum(each[:, None], each)]
        """By test, the largest loss of all other parts, and the loss of a part."""
        self._tests: list[dict[int, Ints]] = [{} for _ in suspects]
        """By part, each of its tests with the other parts in it."""
        for test, (_, inside) in enumerate(tested):
            for suspect in inside:
                self._tests[suspect][test] = np.array([part for part in inside if part != suspect], np.int64)
        odds = (np.log(prior) - np.log1p(-prior))[list(suspects)]
        self._prior = np.column_stack(
            [np.zeros(len(suspects)), np.repeat(odds[:, None] - np.log(levels), levels, axis=1)]
        )
        faulty = (chance[0] < probabilities[list(suspects)]).T
        self.loss: Ints = np.ascontiguousarray(np.where(faulty, 1 + (chance[1].T * levels).astype(np.int64), 0))
        """Shape (suspects, sets)."""

    def change(self, part: int, chance: Floats) -> None:
        """Sample the loss of one part anew, given all others."""
        score = np.repeat(self._prior[part][None], len(chance), axis=0)
        for test, others in self._tests[part].items():
            score += self._weight[test].take(self._largest(others), axis=0)
        score -= np.maximum.reduce(score, axis=1, keepdims=True)
        score = np.exp(score, out=score).cumsum(axis=1)
        self.loss[part] = np.count_nonzero(score < (chance * score[:, -1])[:, None], axis=1)

    def swap(self, first: int, second: int, chance: Floats) -> None:
        """Exchange the losses of two parts where that is as probable (Metropolis)."""
        mine, theirs = self.loss[first].copy(), self.loss[second].copy()
        if first == second or (mine == theirs).all():
            return
        gain = (
            self._prior[first][theirs]
            + self._prior[second][mine]
            - self._prior[first][mine]
            - self._prior[second][theirs]
        )
        for part, peer, before, after in ((first, second, mine, theirs), (second, first, theirs, mine)):
            for test, others in self._tests[part].items():
                if test not in self._tests[peer]:
                    weight, largest = self._weight[test], self._largest(others)
                    gain += weight[largest, after] - weight[largest, before]
        moved = chance < gain
        self.loss[first], self.loss[second] = np.where(moved, theirs, mine), np.where(moved, mine, theirs)

    def _largest(self, parts: Ints) -> Ints:
        """By set, the largest loss among some parts."""
        return np.asarray(np.maximum.reduce(self.loss.take(parts, axis=0), axis=0, initial=0))
