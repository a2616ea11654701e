"""Sets of faulty parts that fit every test so far, drawn by their probability.

In: the prior, the tests, the parts that are still in question. Out: a table, one row per set. Pure (the seed is given). Gibbs sampling with two
moves: a part changes its state, and two parts exchange theirs; without the second one "it is this part" never becomes "it is that one",
because the way leads over "it is neither". Cut here because the choice of tests needs what holds together, not part by part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rackwright.isolate.belief import Floats

Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Reading:
    """A test that was run: its parts, and what `Noise` makes of its reading."""

    parts: frozenset[int]
    evidence: tuple[float, float]

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
    state = _State(chance.random((sets, len(suspects))) < probabilities[list(suspects)], prior, readings, suspects)
    for _ in range(sweeps):
        chances = np.log(chance.random((2, len(suspects), sets)))
        for one in range(len(suspects)):
            state.flip(one, chances[0, one])
        for turn, pair in enumerate(chance.integers(len(suspects), size=(len(suspects), 2))):
            state.swap(int(pair[0]), int(pair[1]), chances[1, turn])
    return state.faulty


class _State:
    """Many sets at once, and how many faulty parts each of them has in each test."""

    def __init__(self, faulty: Bools, prior: Floats, readings: Sequence[Reading], suspects: Sequence[int]) -> None:
        place = {part: index for index, part in enumerate(suspects)}
        asked = [(reading, [place[part] for part in reading.parts if part in place]) for reading in readings]
        asked = [(reading, inside) for reading, inside in asked if inside]
        self.faulty = faulty
        self._odds = (np.log(prior) - np.log1p(-prior))[list(suspects)]
        self._weight = np.array([reading.weight for reading, _ in asked])
        self._count = np.zeros((len(faulty), len(asked)), np.int64)
        for test, (_, inside) in enumerate(asked):
            self._count[:, test] = faulty[:, inside].sum(axis=1)
        self._tests = [
            np.array([t for t, (_, inside) in enumerate(asked) if one in inside], np.int64)
            for one in range(len(suspects))
        ]

    def flip(self, one: int, chance: Floats) -> None:
        """Draw the state of one part anew, given all others."""
        tests = self._tests[one]
        others = self._count[:, tests] - self.faulty[:, [one]]
        odds = self._odds[one] + ((others == 0) * self._weight[tests]).sum(axis=1)
        new = chance < -np.logaddexp(0.0, -odds)
        self._count[:, tests] = others + new[:, None]
        self.faulty[:, one] = new

    def swap(self, one: int, other: int, chance: Floats) -> None:
        """Let two parts exchange their states where that is as probable (Metropolis)."""
        step = self.faulty[:, other].astype(np.int64) - self.faulty[:, one]
        if not step.any():
            return
        mine, theirs = (np.setdiff1d(self._tests[a], self._tests[b]) for a, b in ((one, other), (other, one)))
        gain = self._gain(mine, step) + self._gain(theirs, -step) + step * (self._odds[one] - self._odds[other])
        moved = step * (chance < gain)
        self._count[:, mine] += moved[:, None]
        self._count[:, theirs] -= moved[:, None]
        self.faulty[:, one] ^= moved != 0
        self.faulty[:, other] ^= moved != 0

    def _gain(self, tests: NDArray[np.int64], step: NDArray[np.int64]) -> Floats:
        before = self._count[:, tests]
        after = before + step[:, None]
        return np.asarray((((after > 0).astype(np.int64) - (before > 0)) * self._weight[tests]).sum(axis=1))
