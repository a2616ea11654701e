"""Sets of faulty parts that fit every test so far, sampled by their probability.

The seed is an argument. Gibbs sampling with two moves: a part changes its loss, and two parts exchange their losses; without the second move "it is this part" never becomes "it is that one", because the path leads over "it is neither". Two tests with the same loss are probably bad because of the same part, so parts
have a loss here and not only good or bad: it tells where to test next. Decisions never rest on these samples.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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

    @property
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
    return np.asarray(state.loss > 0)


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
        self._weight = np.array([[0.0, *(reading.weight + reading.levels)] for reading, _ in tested]).reshape(
            -1, levels + 1
        )
        self._inside = [np.array(inside, np.int64) for _, inside in tested]
        self._tests: list[list[int]] = [[] for _ in suspects]
        for test, (_, some) in enumerate(tested):
            for suspect in some:
                self._tests[suspect].append(test)
        odds = (np.log(prior) - np.log1p(-prior))[list(suspects)]
        each = np.repeat(odds[:, None] - np.log(levels), levels, axis=1)
        self._prior = np.column_stack([np.zeros(len(suspects)), each])
        self._levels = np.arange(levels + 1)
        faulty = chance[0] < probabilities[list(suspects)]
        self.loss: Ints = np.where(faulty, 1 + (chance[1] * levels).astype(np.int64), 0)
        self._rows = np.arange(len(faulty))

    def change(self, part: int, chance: Floats) -> None:
        """Sample the loss of one part anew, given all others."""
        score = np.repeat(self._prior[part][None], len(self._rows), axis=0)
        for test in self._tests[part]:
            score += self._weight[test][np.maximum(self._loss_of_rest(test, part)[:, None], self._levels)]
        score = np.exp(score - score.max(axis=1, keepdims=True)).cumsum(axis=1)
        self.loss[:, part] = (score < (chance * score[:, -1])[:, None]).sum(axis=1)

    def swap(self, first: int, second: int, chance: Floats) -> None:
        """Exchange the losses of two parts where that is as probable (Metropolis)."""
        mine, theirs = self.loss[:, first].copy(), self.loss[:, second].copy()
        if first == second or (mine == theirs).all():
            return
        gain = (
            self._prior[first][theirs]
            + self._prior[second][mine]
            - self._prior[first][mine]
            - self._prior[second][theirs]
        )
        for part, before, after in ((first, mine, theirs), (second, theirs, mine)):
            common = self._tests[second if part == first else first]
            for test in (test for test in self._tests[part] if test not in common):
                loss_of_rest = self._loss_of_rest(test, part)
                gain += (
                    self._weight[test][np.maximum(loss_of_rest, after)]
                    - self._weight[test][np.maximum(loss_of_rest, before)]
                )
        moved = chance < gain
        self.loss[:, first], self.loss[:, second] = np.where(moved, theirs, mine), np.where(moved, mine, theirs)

    def _loss_of_rest(self, test: int, part: int) -> Ints:
        """The largest loss among all other parts of a test."""
        inside = self._inside[test]
        return np.asarray(self.loss[:, inside[inside != part]].max(axis=1, initial=0))
