"""Finds the faulty parts of a fleet: two screens of everything, then the few tests that tell most, until every part is decided.

Pure: it runs nothing, and a part that was not tested is said to be so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log

import numpy as np

from rackwright.isolate import groups, reference, rounds, scenarios
from rackwright.isolate.noise import Noise
from rackwright.isolate.posterior import Belief, Floats
from rackwright.isolate.scenarios import Reading

LEAST_TESTS = 2
"""Tests that a part must have been in before it is called good."""

MOST_ALIKE = 3
"""Times that one group is tested; more of the same tells nothing new, and what is open then stays so."""


@dataclass(frozen=True)
class Settings:
    """Everything that decides how a search goes; the values stand in ``validators/limits/isolation.yaml``."""

    noise: Noise
    prior: float
    """How many of all parts are expected to be faulty, as a share."""
    rules: groups.Rules
    missed: float
    """Faulty parts that a search may miss, on average; what is cleared adds up to less."""
    blamed: float
    """Good parts that a search may blame, on average."""
    sets: int
    """Sets of faulty parts that are looked at for the choice of tests."""
    sweeps: int
    """How often every part of every set is drawn anew."""


@dataclass(frozen=True)
class Standing:
    """What is known at some time; every part is in one of the three."""

    faulty: frozenset[int]
    good: frozenset[int]
    open: frozenset[int]
    """Neither: not tested, or the readings fit both."""
    probability: Floats = field(compare=False)


class Search:
    """One search over `parts` parts, which stand in the order of their neighbourhood (rack by rack, leaf by leaf)."""

    def __init__(self, parts: int, settings: Settings, *, seed: int = 0, screens: bool = True) -> None:
        """`screens`: False when the rounds that test everything are made elsewhere."""
        self._settings, self._seed = settings, seed
        self._screens = rounds.SCREENS if screens else ()
        self._shares: list[tuple[Sequence[int], float]] = []
        self.left: set[int] = set()
        """Parts that are asked no more, because their tests do not run; they stay open."""
        self._prior: Floats = np.full(parts, settings.prior)
        self._belief = Belief(self._prior)
        self._readings: list[Reading] = []
        self._round = 0

    def next_round(self) -> list[list[int]]:
        """Groups that can be tested at the same time; none when everything is decided."""
        self._round += 1
        if self._round <= len(self._screens):
            return self._screens[self._round - 1](len(self._prior), groups_of(len(self._prior), self._settings))
        standing = self.standing()
        return self._telling(standing) if standing.open - self.left else []

    def take(self, group: Sequence[int], reading: float, evidence: tuple[float, float] | None = None) -> None:
        """Note what a group reached, as a share of what is expected. A test that did not run is not taken: it says nothing.

        `evidence` is given where more was measured than this one share.
        """
        evidence = evidence or self._settings.noise.evidence(reading)
        self._shares.append((group, reading))
        self._belief.take(group, evidence)
        self._readings.append(Reading(frozenset(group), evidence, self._settings.noise.levels(reading)))

    def standing(self) -> Standing:
        """Decide as many parts as the two error rates allow."""
        chance = self._belief.probabilities()
        order = np.argsort(chance, kind="stable")
        tests = Counter(part for reading in self._readings for part in reading.parts)
        low = (int(part) for part in order[np.cumsum(chance[order]) < self._settings.missed])
        good = {part for part in low if tests[part] >= LEAST_TESTS}
        backwards = order[::-1]
        doubt = np.cumsum(1.0 - self._fitting(chance)[backwards])
        sure = [int(part) for part in backwards[doubt < self._settings.blamed]]
        faulty = {part for part in sure if self._shown(part, good)}
        return Standing(frozenset(faulty), frozenset(good), frozenset(range(len(chance))) - faulty - good, chance)

    def _fitting(self, chance: Floats) -> Floats:
        """`chance` for a fleet with as many faulty parts as this one shows, where that is fewer than expected.

        The prior is made for small groups. Of 4,096 nodes with three faulty ones it expects 123: two disturbed readings of a good node would
        look far less strange than they are.
        """
        share = (1.0 + chance.sum()) / len(chance)
        if share >= self._settings.prior:
            return chance
        odds = chance / np.maximum(1.0 - chance, np.finfo(float).tiny)
        odds *= share / (1.0 - share) * (1.0 - self._settings.prior) / self._settings.prior
        return np.asarray(odds / (1.0 + odds))

    def _shown(self, part: int, good: set[int]) -> bool:
        """Bad tests in which nothing else was bad, and no partner in all of them: no part is blamed on one partner's word."""
        partners = self._bad_with(part)
        return _apart([others for others in partners if others <= good])

    def _bad_with(self, part: int) -> list[frozenset[int]]:
        """Who stood in each bad test of a part with it."""
        return [reading.parts - {part} for reading in self._readings if part in reading.parts and reading.weight > 0]

    def _telling(self, standing: Standing) -> list[list[int]]:
        suspects = sorted(standing.open - self.left)
        # What a faulty part was in is explained, and tells nothing of the others.
        open_ = [reading for reading in self._readings if not reading.parts & standing.faulty]
        faulty = scenarios.draw(
            standing.probability, self._prior, open_, suspects,
            sets=self._settings.sets, sweeps=self._settings.sweeps, seed=self._seed + self._round,
        )  # fmt: skip
        columns = {part: column for column, part in enumerate(suspects)}
        found = groups.most_telling(faulty, suspects, self._settings.rules)
        likely = {part for part in suspects if faulty[:, columns[part]].mean() > rounds.LIKELY}
        wanting = [part for part in sorted(likely) if not self._will_be_shown(part, likely | standing.faulty)]
        found = rounds.complete(found, columns, faulty, wanting, self._settings.rules.largest)
        pairs = [reading.parts for reading in self._readings if len(reading.parts) == rounds.PAIR]
        found = rounds.with_partners(found or [[part] for part in sorted(likely)], self._partners(standing), pairs)
        asked = Counter(reading.parts for reading in self._readings)
        return [group for group in found if asked[frozenset(group)] < MOST_ALIKE]

    def _will_be_shown(self, part: int, faulty: set[int]) -> bool:
        """Whether it is shown as soon as everything else but `faulty` is cleared: such a part needs no test of its own."""
        return _apart([others for others in self._bad_with(part) if not others & faulty])

    def _partners(self, standing: Standing) -> list[int]:
        """Known good parts with the best readings first, then whatever is least in question."""
        known = reference.ranked(self._shares, self._settings.noise.sigma)
        best = {part: place for place, part in enumerate(known) if part in standing.good}
        rest = np.argsort(standing.probability, kind="stable").tolist()
        return [*best, *(part for part in rest if part not in best and part not in self.left)]


def _apart(partners: Sequence[frozenset[int]]) -> bool:
    """Two tests or more, and nobody in all of them."""
    return len(partners) > 1 and not frozenset.intersection(*partners)


def groups_of(parts: int, settings: Settings) -> int:
    """Groups of a screen: as many that about half of them are bad where as many parts are faulty as expected."""
    size: int = min(settings.rules.largest, max(2, round(log(2.0) / settings.prior)))
    return max(1, round(parts / size))
