"""Plays a search over parts that are faulty by chance, with readings that scatter as the settings say. The same seed plays the same search."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rackwright.isolate.noise import HIGHEST, Noise
from rackwright.isolate.search import Search, SearchSettings

MOST_ROUNDS = 40
"""A search that is not complete by then counts open parts as missed."""
WORST_LOSS = 0.8
"""Faulty parts lose between the weakest fault and this share; any test finds a part that loses everything."""


@dataclass(frozen=True)
class SearchResult:
    """The outcome of one search."""

    tests: int
    rounds: int
    tested: int
    """Parts in all tests together; times minutes, the cost of the search to the fleet."""
    wrong: int
    """Good parts that were blamed."""
    missed: int
    """Faulty parts that were not."""


class SimulatedFleet:
    """Parts of which some lose a share of the expected value."""

    def __init__(self, parts: int, faulty: int, noise: Noise, seed: int) -> None:
        """`faulty` parts are drawn by `seed`; a share of them, given by the noise, loses a different amount in every test."""
        self._chance = np.random.default_rng(seed)
        self._noise = noise
        self.loss = np.zeros(parts)
        self.faulty = frozenset(self._chance.choice(parts, faulty, replace=False).tolist())
        self.loss[sorted(self.faulty)] = self._chance.uniform(noise.weakest, WORST_LOSS, faulty)
        self.unsteady = [part for part in sorted(self.faulty) if self._chance.random() >= noise.steady]

    def reading(self, group: list[int]) -> float:
        """The result of a test of `group` as a share of the expected value: its slowest part decides."""
        if self._chance.random() < self._noise.disturbed:
            return float(self._chance.uniform(0.0, HIGHEST))
        for part in self.unsteady:
            self.loss[part] = self._chance.uniform(self._noise.weakest, WORST_LOSS)
        return float(1.0 - self.loss[group].max() + self._chance.normal(0.0, self._noise.sigma))


def simulate(parts: int, faulty: int, settings: SearchSettings, *, seed: int) -> SearchResult:
    """Play one search to its end."""
    fleet, search = SimulatedFleet(parts, faulty, settings.noise, seed), Search(parts, settings, seed=seed)
    tests = rounds = tested = 0
    while rounds < MOST_ROUNDS and (groups := search.next_round()):
        rounds += 1
        for group in groups:
            search.take(group, fleet.reading(group))
        tests, tested = tests + len(groups), tested + sum(len(group) for group in groups)
    blamed = search.standing().faulty
    return SearchResult(tests, rounds, tested, len(blamed - fleet.faulty), len(fleet.faulty - blamed))
