"""What all nodes of a fleet lose together: an offset below the expected value, larger groups that are slower, congestion for a time.

Tests of about one size that run at the same time are compared with each other: where most of them lie close together and below the usual, that is
what good parts reach there, and readings are shares of it. Smaller tests lose at most what the largest ones lose in their better rounds, so
that much is taken from them as well: slow nodes show in small tests first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from rackwright.isolate.noise import Noise
from rackwright.isolate.trial import TrialResult

LEAST = 3
"""Fewest tests of about one size that are compared with each other: of two, neither is known to be the usual one."""
NEAR = 4.0
"""Standard deviations below the best reading within which a reading counts as like it: the best and the worst of the ten to twenty good tests
of a screen are 3 to 4 apart."""


@dataclass(frozen=True)
class CommonLossRules:
    """Limits of a common loss; the values are in ``validators/limits/isolation.yaml``, with their reasons."""

    usual: float
    """Readings of good parts above this need no correction."""
    alike: float
    """Share of the tests of a round that must lie close together."""
    common: float
    """On a wiring a larger loss of all tests is searched for as a fault of what they share (a switch)."""
    beyond: float
    """How many times the common loss a fault must lose beyond it: see `CommonLoss.noise`."""


class CommonLoss:
    """The level that a fleet reaches, learnt round by round."""

    def __init__(self, noise: Noise, rules: CommonLossRules, largest: float = 1.0) -> None:
        """`noise`: of a fleet without a common loss; `largest`: a larger loss is not common, whatever its spread."""
        self._noise, self._rules, self._largest = noise, rules, largest
        self._rounds: dict[int, float] = {}

    @property
    def lasting(self) -> float:
        """The level that good parts reach in the largest tests, in the best of their rounds; 1 without a common loss."""
        return self._rounds[max(self._rounds)] if self._rounds else 1.0

    def noise(self) -> Noise:
        """The noise, with the smallest loss that makes a part faulty in this fleet.

        In large groups that are slower than expected, healthy nodes may differ: the slowest of 23 is 1.9 standard
        deviations below the mean, the slowest of a fleet of hundreds up to 4.5. So a fault must lose
        `CommonLossRules.beyond` times more than them. A part that reaches nothing is a fault in every fleet.
        """
        beyond = round(self._rules.beyond * (1.0 - self.lasting), 2)
        return replace(self._noise, weakest=min(self._noise.weakest + beyond, 1.0 - NEAR * self._noise.sigma))

    def learn(self, sizes: Sequence[int], shares: Sequence[float]) -> None:
        """Add the readings of one round that tests all parts."""
        for size, level in self._usual(sizes, shares).items():
            self._rounds[size] = max(level, self._rounds.get(size, 0.0))

    def correct(self, sizes: Sequence[int], shares: Sequence[float], *, tests_all: bool = True) -> list[float]:
        """The readings of one round as shares of what good parts reach in it.

        `tests_all`: whether the round tests all parts; one of suspects does not say what good parts reach. What a round alone loses counts from
        half of the smallest fault on: less makes no fault, and where half of ten tests meet small faults, their median is that low.
        """
        usual = self._usual(sizes, shares) if tests_all else {}
        passing = {size: level for size, level in usual.items() if level < 1.0 - self._noise.weakest / 2.0}
        return [
            share / min(passing.get(size.bit_length(), 1.0), self.lasting)
            for size, share in zip(sizes, shares, strict=True)
        ]

    def _usual(self, sizes: Sequence[int], shares: Sequence[float]) -> Mapping[int, float]:
        """Binary digits of the size -> the level that good parts reach, for sizes with enough tests in the round."""
        alike: dict[int, list[float]] = defaultdict(list)
        for size, share in zip(sizes, shares, strict=True):
            alike[size.bit_length()].append(share)
        return {size: self._level(some) for size, some in alike.items() if len(some) >= LEAST}

    def _level(self, shares: Sequence[float]) -> float:
        best = sorted(shares)[-2]  # the highest may be disturbed
        near = [share for share in shares if share > best - NEAR * self._noise.sigma]
        level = median(near)  # a few nodes that lose little are among them
        common = (
            level < self._rules.usual and len(near) >= self._rules.alike * len(shares) and 1.0 - level <= self._largest
        )
        return level if common else 1.0


class FleetLevel:
    """The common loss of all nodes of a wiring: of whole tests, and of all rails."""

    def __init__(self, noise: Noise, rules: CommonLossRules) -> None:
        self._whole, self._rails = (CommonLoss(noise, rules, rules.common) for _ in range(2))

    @property
    def offset(self) -> float:
        """The lasting loss of whole tests, or of rails if only they are measured; 0 without one."""
        return 1.0 - min(self._whole.lasting, self._rails.lasting)

    def noise(self) -> Noise:
        """The noise of this fleet: `CommonLoss.noise` of whole tests or of rails, whichever lost more."""
        return max((common.noise() for common in (self._whole, self._rails)), key=lambda noise: noise.weakest)

    def learn(self, results: Sequence[TrialResult]) -> None:
        """Add the results of one round that tests all nodes."""
        collectives, rails = _readings(results)
        self._whole.learn(*_columns(collectives))
        self._rails.learn(*_columns(rails))

    def level(self, results: Sequence[TrialResult], *, tests_all: bool) -> list[TrialResult]:
        """The results of one round as shares of what good nodes reach in it; `tests_all`: whether it tests all nodes.

        Rails are compared with all rails, so that one slow rail stands out.
        """
        collectives, rails = _readings(results)
        shares = iter(self._whole.correct(*_columns(collectives), tests_all=tests_all))
        lanes = iter(self._rails.correct(*_columns(rails), tests_all=tests_all))
        return [
            replace(
                result,
                share=None if result.share is None else next(shares),
                rails={slot: next(lanes) for slot in result.rails},
            )
            for result in results
        ]


def _readings(results: Sequence[TrialResult]) -> tuple[list[tuple[int, float]], list[tuple[int, float]]]:
    """(size, share) of every whole test, and of every rail."""
    collectives = [(len(result.trial.nodes), result.share) for result in results if result.share is not None]
    return collectives, [(len(result.trial.nodes), share) for result in results for share in result.rails.values()]


def _columns(readings: Sequence[tuple[int, float]]) -> tuple[list[int], list[float]]:
    return [size for size, _ in readings], [share for _, share in readings]
