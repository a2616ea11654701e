"""Predicts the cost of an isolation before anything runs: rounds, minutes, accelerator-hours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, comb, log2

import numpy as np

from rackwright.isolate.conduct import conduct_isolation
from rackwright.isolate.coverage import Screens
from rackwright.isolate.isolation import Isolation
from rackwright.isolate.parts import PartIds
from rackwright.isolate.play import SimulatedTester, random_faults
from rackwright.isolate.settings import IsolationSettings
from rackwright.isolate.trial import Trial

FAULTS = (0, 1, 3, 5)
"""Numbers of faulty nodes for which a plan is priced."""
MINUTES_PER_HOUR = 60.0


@dataclass(frozen=True)
class PlaySpread:
    """Spread of a figure over several plays."""

    mean: float
    most: float
    """Upper bound of 95 of 100 plays."""

    @classmethod
    def of(cls, values: Sequence[float]) -> PlaySpread:
        """The spread of `values`, one per play."""
        return cls(float(np.mean(values)), float(np.percentile(values, 95)))


@dataclass(frozen=True)
class IsolationPrice:
    """Cost of an isolation with a given number of faulty nodes."""

    faults: int
    plays: int
    tests: PlaySpread
    rounds: PlaySpread
    minutes: PlaySpread
    accelerator_hours: PlaySpread
    bound: int
    """Tests that no strategy can avoid."""


def minutes(trials: Sequence[Trial], settings: IsolationSettings) -> float:
    """Minutes of a round: those of its longest test, because its tests run at the same time."""
    return max((settings.of_a_test(len(trial.nodes)) for trial in trials), default=0.0)


def hours(trials: Sequence[Trial], atoms: PartIds, settings: IsolationSettings) -> float:
    """Accelerator-hours of a round: the accelerators of each test, for as long as it takes."""
    accelerator_minutes = (
        float(atoms.wiring.accelerators[list(trial.nodes)].sum()) * settings.of_a_test(len(trial.nodes))
        for trial in trials
    )
    return sum(accelerator_minutes) / MINUTES_PER_HOUR


def least_bits(parts: int, faulty: int) -> int:
    """Bits that identify the faulty parts among all; a test with two outcomes yields at most one (Shannon 1948)."""
    return ceil(log2(comb(parts, faulty))) if faulty <= parts else 0


def predict_cost(
    atoms: PartIds, settings: IsolationSettings, screens: Screens, plays: int, *,
    rails: bool = True, faults: Sequence[int] = FAULTS, each: Callable[[int], None] = lambda _: None,
) -> list[IsolationPrice]:  # fmt: skip
    """The cost for each number of `faults`, by playing isolations to their end; `each` is called with that number after
    every play.
    """
    prices = []
    for count in (count for count in faults if count <= atoms.count):
        played = []
        for seed in range(plays if count else 1):
            played.append(_play(atoms, settings, screens, count, seed, rails=rails))
            each(count)
        tests, rounds, took, accelerator_hours = (PlaySpread.of(column) for column in zip(*played, strict=True))
        prices.append(
            IsolationPrice(count, len(played), tests, rounds, took, accelerator_hours, least_bits(atoms.count, count))
        )
    return prices


def _play(
    atoms: PartIds, settings: IsolationSettings, screens: Screens, count: int, seed: int, *, rails: bool
) -> tuple[float, float, float, float]:
    """(tests, rounds, minutes, accelerator-hours)"""
    faults = random_faults(atoms, count, settings.chance, seed)
    isolation = Isolation(atoms, settings, screens, seed=seed)
    rounds: list[list[Trial]] = []
    conduct_isolation(
        isolation,
        SimulatedTester(atoms, faults, settings.search.noise, seed=seed, rails=rails),
        before=lambda _, trials: rounds.append(trials),
    )
    took = sum(minutes(trials, settings) for trials in rounds)
    return len(isolation.told), len(rounds), took, sum(hours(trials, atoms, settings) for trials in rounds)
