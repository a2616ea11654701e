"""The faults that the tests of a cleared part exclude: the smallest loss and the lowest frequency.

Each part is excluded with a confidence of 99 % (`isolation.confidence`), so that in a search with five faulty parts all
statements hold together with 95 %.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil, comb
from statistics import NormalDist

from rackwright.isolate.noise import Noise

PRECISE = 1e-6
"""Precision of a calculated frequency; it is stated in steps that are far wider."""
STEP = 0.01
"""Losses and frequencies are stated in steps of this, rounded up."""


@dataclass(frozen=True)
class ExcludedFaults:
    """Faults that lose at least `loss` in at least a share `frequency` of the tests are excluded."""

    loss: float
    frequency: float


def reach(shares: Sequence[float], good: int, bad: int, noise: Noise, confidence: float) -> ExcludedFaults:
    """The faults that the tests of a part exclude.

    `shares` are its good readings as shares of the expected value, `good` is the number that counts as good, and `bad`
    the number of bad readings without an explanation.
    """
    scatter = NormalDist(sigma=noise.sigma).inv_cdf(confidence)
    loss = max((1.0 - min(reading, 1.0) + scatter for reading in shares), default=1.0)
    return ExcludedFaults(_up(max(loss, noise.weakest)), lowest_frequency(good, bad, confidence))


@cache
def lowest_frequency(good: int, bad: int, confidence: float) -> float:
    """The lowest frequency at which a fault would show in more than `bad` of all tests with `confidence` (Clopper and
    Pearson 1934); 1 if there is none.
    """
    low, high = 0.0, 1.0
    if not good or _at_most(bad, good + bad, 1.0) > 1.0 - confidence:
        return 1.0
    while high - low > PRECISE:
        middle = (low + high) / 2.0
        low, high = (middle, high) if _at_most(bad, good + bad, middle) > 1.0 - confidence else (low, middle)
    return _up(high)


def _at_most(most: int, tests: int, frequency: float) -> float:
    return sum(comb(tests, k) * frequency**k * (1.0 - frequency) ** (tests - k) for k in range(most + 1))


def _up(value: float) -> float:
    return min(1.0, round(ceil(value / STEP - PRECISE / STEP) * STEP, 6))
