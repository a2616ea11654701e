"""What an isolation will take, said before anything runs: rounds, minutes, accelerator-hours.

Pure: seeds are counted up from 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, comb, log2

import numpy as np

from rackwright.isolate.conduct import conduct
from rackwright.isolate.coverage import Screens
from rackwright.isolate.isolation import Isolation
from rackwright.isolate.parts import Atoms
from rackwright.isolate.play import Play, random_faults
from rackwright.isolate.settings import Wired
from rackwright.isolate.trial import Trial

FAULTS = (0, 1, 3, 5)
"""Faulty nodes for which a plan is priced."""
MINUTES_PER_HOUR = 60.0


@dataclass(frozen=True)
class Spread:
    """A figure over several plays."""

    mean: float
    most: float
    """95 of 100 plays take at most this."""

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """From one value per play."""
        return cls(float(np.mean(values)), float(np.percentile(values, 95)))


@dataclass(frozen=True)
class Price:
    """What it takes with so many faulty nodes."""

    faults: int
    plays: int
    tests: Spread
    rounds: Spread
    minutes: Spread
    accelerator_hours: Spread
    bound: int
    """Tests that no strategy can do without."""


def minutes(trials: Sequence[Trial], known: Wired) -> float:
    """Of a round: its tests run at the same time, so its longest one."""
    return max((known.of_a_test(len(trial.nodes)) for trial in trials), default=0.0)


def hours(trials: Sequence[Trial], atoms: Atoms, known: Wired) -> float:
    """Accelerator-hours: accelerators of the nodes in tests, for as long as their test takes."""
    held = (
        float(atoms.wiring.accelerators[list(trial.nodes)].sum()) * known.of_a_test(len(trial.nodes))
        for trial in trials
    )
    return sum(held) / MINUTES_PER_HOUR


def bound(parts: int, faulty: int) -> int:
    """Bits that name the faulty parts among all; a test that is good or bad tells one at most (Shannon 1948)."""
    return ceil(log2(comb(parts, faulty))) if faulty <= parts else 0


def predict(
    atoms: Atoms, known: Wired, screens: Screens, plays: int, *,
    rails: bool = True, faults: Sequence[int] = FAULTS, each: Callable[[int], None] = lambda _: None,
) -> list[Price]:  # fmt: skip
    """Play isolations to their end; `each` is told the faults of every play that is done."""
    found = []
    for count in (one for one in faults if one <= atoms.count):
        played = []
        for seed in range(plays if count else 1):
            played.append(_play(atoms, known, screens, count, seed, rails=rails))
            each(count)
        tests, rounds, took, held = (Spread.of(column) for column in zip(*played, strict=True))
        found.append(Price(count, len(played), tests, rounds, took, held, bound(atoms.count, count)))
    return found


def _play(
    atoms: Atoms, known: Wired, screens: Screens, count: int, seed: int, *, rails: bool
) -> tuple[float, float, float, float]:
    """(tests, rounds, minutes, accelerator-hours)"""
    faults = random_faults(atoms, count, known.chance, known.search.noise, seed)
    isolation = Isolation(atoms, known, screens, seed=seed)
    rounds: list[list[Trial]] = []
    conduct(
        isolation,
        Play(atoms, faults, known.search.noise, seed=seed, rails=rails),
        before=lambda _, trials: rounds.append(trials),
    )
    took = sum(minutes(trials, known) for trials in rounds)
    return len(isolation.told), len(rounds), took, sum(hours(trials, atoms, known) for trials in rounds)
