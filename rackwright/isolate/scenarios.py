"""Sets of faulty parts that fit every test so far, drawn by their probability.

Pure (the seed is given). Gibbs sampling with two
moves: a part changes what it loses, and two parts exchange theirs; without the second one "it is this part" never becomes "it is that one",
because the way leads over "it is neither". Two tests that lose the same are probably bad by the same part, which is why parts have a loss here
and not only good or bad: it says where to look next. What is decided never rests on it.
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
class Reading:
    """A test that was run: its parts, and what `Noise` makes of its reading."""

    parts: frozenset[int]
    evidence: tuple[float, float]
    levels: Floats
    """Shape (levels,), as from `Noise.levels`."""

    @property
    def weight(self) -> float:
        """How much more probable the reading is when some part is bad, as a logarithm."""
        return self.evidence[1] - self.evidence[0]


def draw(
    probabilities: Floats,
    prior: Floats,
    readings: Sequence[Reading],
    suspects: Sequence[int],
    *,
    sets: int,
    sweeps: int,
    seed: int,
) -> Bools:
    """Shape (sets, suspects): which of the suspects are faulty in each set; parts beside them count as good."""
    chance = np.random.default_rng(seed)
    state = _State(probabilities, prior, readings, suspects, chance.random((2, sets, len(suspects))))
    for _ in range(sweeps):
        chances = chance.random((2, len(suspects), sets))
        for one in range(len(suspects)):
            state.change(one, chances[0, one])
        for turn, pair in enumerate(chance.integers(len(suspects), size=(len(suspects), 2))):
            state.swap(int(pair[0]), int(pair[1]), np.log(chances[1, turn]))
    return np.asarray(state.loss > 0)


class _State:
    """Many sets at once: the level that each part loses (0: good), and the most that each test loses."""

    def __init__(
        self, probabilities: Floats, prior: Floats, readings: Sequence[Reading], suspects: Sequence[int], chance: Floats
    ) -> None:
        place = {part: index for index, part in enumerate(suspects)}
        asked = [(reading, [place[part] for part in reading.parts if part in place]) for reading in readings]
        asked = [(reading, inside) for reading, inside in asked if inside]
        levels = len(readings[0].levels) if readings else 1
        self._weight = np.array([[0.0, *(one.weight + one.levels)] for one, _ in asked]).reshape(-1, levels + 1)
        self._inside = [np.array(inside, np.int64) for _, inside in asked]
        self._tests: list[list[int]] = [[] for _ in suspects]
        for test, (_, some) in enumerate(asked):
            for one in some:
                self._tests[one].append(test)
        odds = (np.log(prior) - np.log1p(-prior))[list(suspects)]
        each = np.repeat(odds[:, None] - np.log(levels), levels, axis=1)
        self._prior = np.column_stack([np.zeros(len(suspects)), each])
        self._levels = np.arange(levels + 1)
        faulty = chance[0] < probabilities[list(suspects)]
        self.loss: Ints = np.where(faulty, 1 + (chance[1] * levels).astype(np.int64), 0)
        self._rows = np.arange(len(faulty))

    def change(self, one: int, chance: Floats) -> None:
        """Draw the loss of one part anew, given all others."""
        score = np.repeat(self._prior[one][None], len(self._rows), axis=0)
        for test in self._tests[one]:
            score += self._weight[test][np.maximum(self._others(test, one)[:, None], self._levels)]
        score = np.exp(score - score.max(axis=1, keepdims=True)).cumsum(axis=1)
        self.loss[:, one] = (score < (chance * score[:, -1])[:, None]).sum(axis=1)

    def swap(self, one: int, other: int, chance: Floats) -> None:
        """Let two parts exchange their losses where that is as probable (Metropolis)."""
        mine, theirs = self.loss[:, one].copy(), self.loss[:, other].copy()
        if one == other or (mine == theirs).all():
            return
        gain = self._prior[one][theirs] + self._prior[other][mine] - self._prior[one][mine] - self._prior[other][theirs]
        for part, before, after in ((one, mine, theirs), (other, theirs, mine)):
            common = self._tests[other if part == one else one]
            for test in (test for test in self._tests[part] if test not in common):
                rest = self._others(test, part)
                gain += self._weight[test][np.maximum(rest, after)] - self._weight[test][np.maximum(rest, before)]
        moved = chance < gain
        self.loss[:, one], self.loss[:, other] = np.where(moved, theirs, mine), np.where(moved, mine, theirs)

    def _others(self, test: int, one: int) -> Ints:
        """The most that any other part of a test loses."""
        inside = self._inside[test]
        return np.asarray(self.loss[:, inside[inside != one]].max(axis=1, initial=0))
