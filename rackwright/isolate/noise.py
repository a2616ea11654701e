"""The likelihood of one reading if every part of a test is good, and if one of them is not."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import ceil, erf, exp, log, pi, sqrt

import numpy as np
from numpy.typing import NDArray

HIGHEST = 1.2
"""Readings above this share of the expected value are invalid: limits are shares of the link's own ceiling."""


@dataclass(frozen=True)
class Noise:
    """Scatter of the fleet's readings; the values are in ``validators/limits/isolation.yaml``, with their sources."""

    sigma: float
    """Standard deviation of a reading of good parts, as a share of the expected one."""
    weakest: float
    """The smallest loss that makes a part faulty, as a share; a faulty part may lose anything from here to all."""
    disturbed: float
    """Share of readings that measure something else (another job on the links, a daemon that woke up)."""
    steady: float
    """Share of faulty parts that lose the same in every test; the others lose a different amount each time."""

    def evidence(self, reading: float) -> tuple[float, float]:
        """(log p(reading | all good), log p(reading | some part is bad)) for a reading as a share of the expected one.

        Good: normal around 1, and more than expected is as good as expected. Bad: uniform from nothing to ``1 - weakest``, blurred by the same scatter. Either is disturbed at times.
        """
        reading = min(max(reading, 0.0), 1.0)
        stray = self.disturbed / HIGHEST
        good = exp(-(((reading - 1.0) / self.sigma) ** 2) / 2.0) / (self.sigma * sqrt(2.0 * pi))
        most = 1.0 - self.weakest
        below = _normal((most - reading) / self.sigma) - _normal(-reading / self.sigma)
        undisturbed = 1.0 - self.disturbed
        return log(undisturbed * good + stray), log(undisturbed * below / most + stray)

    @cached_property
    def edges(self) -> NDArray[np.float64]:
        """Shape (levels + 1,): losses from the weakest to all, in steps of two standard deviations, which readings can
        distinguish.
        """
        return np.linspace(self.weakest, 1.0, ceil((1.0 - self.weakest) / (2.0 * self.sigma)) + 1)

    def levels(self, reading: float) -> NDArray[np.float64]:
        """Shape (levels,): log of how much better a fault of each loss explains a bad reading than a fault of any loss.

        As `evidence`, with the loss uniform within a level; a fault that is not steady explains every reading equally
        well.
        """
        reading = min(max(reading, 0.0), 1.0)
        below = np.array([_normal((1.0 - edge - reading) / self.sigma) for edge in self.edges])
        likelihood = (1.0 - self.disturbed) * -np.diff(below) / np.diff(self.edges) + self.disturbed / HIGHEST
        return np.asarray(np.log(self.steady * likelihood / likelihood.mean() + 1.0 - self.steady))


def _normal(value: float) -> float:
    """The cumulative normal distribution."""
    return (1.0 + erf(value / sqrt(2.0))) / 2.0
