"""Plays a search over parts that are faulty by chance, with readings that scatter as the settings say. The same seed plays the same search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log2

import numpy as np

from rackwright.isolate.noise import HIGHEST, Noise
from rackwright.isolate.search import Search
from rackwright.isolate.search_state import SearchSettings

MOST_ROUNDS = 60
"""A search that is not complete by then counts open parts as missed."""
LEAST_LOSS, WORST_LOSS = 0.1, 0.8
"""Losses of faulty parts, unless a fleet says otherwise; any test finds a part that loses everything."""
LEAST_CONGESTED, MOST_CONGESTED = 0.05, 0.3
"""Loss of all tests of a congested round."""


@dataclass(frozen=True)
class FleetTraits:
    """Properties of the parts and the surroundings of a fleet, as shares."""

    least_loss: float = LEAST_LOSS
    worst_loss: float = WORST_LOSS
    frequency: float = 1.0
    """Share of its tests in which a fault shows."""
    spread: float = 0.0
    """Standard deviation between healthy parts, the same in every test."""
    offset: float = 0.0
    """Loss of all tests."""
    congested: float = 0.0
    """Share of rounds in which all tests lose something."""
    doubling: float = 0.0
    """Loss that is added whenever the number of parts in a test doubles, from two."""


@dataclass(frozen=True)
class SearchResult:
    """The outcome of one search."""

    tests: int
    rounds: int
    tested: int
    """Parts in all tests together; times minutes, the cost of the search to the fleet."""
    wrong: int
    """Number of good parts that were blamed."""
    missed: int
    """Number of faulty parts that were not blamed."""
    cleared: int = 0
    """Faulty parts that were cleared of what they lose as often as they lose it."""
    unshown: int = 0
    """Faulty parts that were cleared, but of larger losses or of faults that show more often."""
    open: int = 0
    """Number of parts that stay open."""


class SimulatedFleet:
    """Parts of which some lose a share of the expected value."""

    def __init__(self, parts: int, faulty: int, noise: Noise, seed: int, traits: FleetTraits | None = None) -> None:
        """`faulty` parts are drawn by `seed`; a share of them, given by the noise, loses a different amount in every test."""
        self._chance, self._surroundings = np.random.default_rng(seed), np.random.default_rng((seed, 1))
        self._noise, self.traits = noise, traits or FleetTraits()
        self._range = self.traits.least_loss, self.traits.worst_loss
        self.loss = np.zeros(parts)
        self.faulty = frozenset(self._chance.choice(parts, faulty, replace=False).tolist())
        self.loss[sorted(self.faulty)] = self._chance.uniform(*self._range, faulty)
        self.unsteady = [part for part in sorted(self.faulty) if self._chance.random() >= noise.steady]
        self._slower = self._surroundings.normal(0.0, self.traits.spread, parts)
        self._congestion = 0.0

    def frequency(self, part: int, loss: float) -> float:
        """Share of its tests in which a faulty part loses this much."""
        least, worst = self._range
        beyond = (worst - loss) / (worst - least) if part in self.unsteady else float(self.loss[part] >= loss)
        return self.traits.frequency * min(max(beyond, 0.0), 1.0)

    def readings(self, groups: Sequence[Sequence[int]]) -> list[float]:
        """The readings of one round, one per group."""
        congested = self._surroundings.random() < self.traits.congested
        self._congestion = self._surroundings.uniform(LEAST_CONGESTED, MOST_CONGESTED) if congested else 0.0
        return [self.reading(group) for group in groups]

    def reading(self, group: Sequence[int]) -> float:
        """The result of a test of `group` as a share of the expected value: its slowest part decides."""
        if self._chance.random() < self._noise.disturbed:
            return float(self._chance.uniform(0.0, HIGHEST))
        for part in self.unsteady:
            self.loss[part] = self._chance.uniform(*self._range)
        members = list(group)
        shows = self._surroundings.random(len(members)) < self.traits.frequency
        loss = float((np.where(shows, self.loss[members], 0.0) + self._slower[members]).max())
        around = (
            (1.0 - self.traits.offset)
            * (1.0 - self._congestion)
            * (1.0 - self.traits.doubling * log2(len(members) / 2))
        )
        return float((1.0 - loss) * around + self._chance.normal(0.0, self._noise.sigma))


def simulate(
    parts: int, faulty: int, settings: SearchSettings, *, seed: int, traits: FleetTraits | None = None, soak: int = 0
) -> SearchResult:
    """Play one search to its end."""
    fleet, search = (
        SimulatedFleet(parts, faulty, settings.noise, seed, traits),
        Search(parts, settings, seed=seed, soak=soak),
    )
    tests = rounds = tested = 0
    while rounds < MOST_ROUNDS and (groups := search.next_round()):
        rounds += 1
        search.take_round(list(zip(groups, fleet.readings(groups), strict=True)))
        tests, tested = tests + len(groups), tested + sum(len(group) for group in groups)
    standing = search.standing()
    unseen = fleet.faulty & standing.good
    cleared = {part for part in unseen if _excluded(search, fleet, part)}
    return SearchResult(
        tests, rounds, tested, len(standing.faulty - fleet.faulty), len(fleet.faulty - standing.faulty),
        len(cleared), len(unseen - cleared), len(standing.open),
    )  # fmt: skip


def _excluded(search: Search, fleet: SimulatedFleet, part: int) -> bool:
    """Whether the clearance of a faulty part states that its fault would have shown: that it loses as much as often."""
    reach = search.reach(part)
    return fleet.frequency(part, reach.loss) >= reach.frequency
