"""Plays a search over parts that are made faulty by chance, with readings that scatter as the settings say.

Pure: the same seed plays the same
search.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rackwright.isolate.noise import HIGHEST, Noise
from rackwright.isolate.search import Search, Settings

MOST_ROUNDS = 40
"""A search that is not done by then counts what is open as missed."""
WORST_LOSS = 0.8
"""Faulty parts lose between the weakest fault and this share; a part that loses all is found by any test."""


@dataclass(frozen=True)
class Played:
    """One search."""

    tests: int
    rounds: int
    tested: int
    """Parts in all tests together; times minutes, what the search costs the fleet."""
    wrong: int
    """Good parts that were blamed."""
    missed: int
    """Faulty parts that were not."""


class Fleet:
    """Parts of which some lose a share of what they should reach."""

    def __init__(self, parts: int, faulty: int, noise: Noise, seed: int) -> None:
        """`faulty` parts are drawn by `seed`; as many of them as the noise says lose something else in every test."""
        self._chance = np.random.default_rng(seed)
        self._noise = noise
        self.loss = np.zeros(parts)
        self.faulty = frozenset(self._chance.choice(parts, faulty, replace=False).tolist())
        self.loss[sorted(self.faulty)] = self._chance.uniform(noise.weakest, WORST_LOSS, faulty)
        self.unsteady = [part for part in sorted(self.faulty) if self._chance.random() >= noise.steady]

    def reading(self, group: list[int]) -> float:
        """What a test of `group` reaches, as a share of what is expected: its slowest part decides."""
        if self._chance.random() < self._noise.disturbed:
            return float(self._chance.uniform(0.0, HIGHEST))
        for part in self.unsteady:
            self.loss[part] = self._chance.uniform(self._noise.weakest, WORST_LOSS)
        return float(1.0 - self.loss[group].max() + self._chance.normal(0.0, self._noise.sigma))


def simulate(parts: int, faulty: int, settings: Settings, *, seed: int) -> Played:
    """Play one search to its end."""
    fleet, search = Fleet(parts, faulty, settings.noise, seed), Search(parts, settings, seed=seed)
    tests = rounds = tested = 0
    while rounds < MOST_ROUNDS and (groups := search.next_round()):
        rounds += 1
        for group in groups:
            search.take(group, fleet.reading(group))
        tests, tested = tests + len(groups), tested + sum(len(group) for group in groups)
    found = search.standing().faulty
    return Played(tests, rounds, tested, len(found - fleet.faulty), len(fleet.faulty - found))
