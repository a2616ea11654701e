"""Decides parts as if every fault showed in every test: tests are chosen by it where nothing contradicts it, because they are cheapest then."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from rackwright.isolate.posterior import Floats, Posterior
from rackwright.isolate.search_state import SearchSettings, SearchState

LEAST_TESTS = 2
"""Tests of a part before it can be cleared."""


class SteadyBelief:
    """Belief about every part after all readings, if every fault shows in every test."""

    def __init__(self, parts: int, settings: SearchSettings) -> None:
        self._settings = settings
        self._posterior = Posterior(np.full(parts, settings.prior))
        self._state: SearchState | None = None
        self.tests = np.zeros(parts, np.int64)
        """Readings of each part."""

    def take(self, group: Sequence[int], evidence: tuple[float, float]) -> None:
        """Add a test of `group`; `evidence` comes from `Noise.evidence`."""
        self._posterior.take(group, evidence)
        self.tests[list(group)] += 1
        self._state = None

    def decide(self, is_confirmed: Callable[[int, set[int]], bool]) -> SearchState:
        """Decide as many parts as the two error rates allow, once for the readings so far; `is_confirmed`: of a part, and what is cleared."""
        self._state = self._state or self._decide(is_confirmed)
        return self._state

    def _decide(self, is_confirmed: Callable[[int, set[int]], bool]) -> SearchState:
        chance = self._posterior.probabilities()
        order = np.argsort(chance, kind="stable")
        low = (int(part) for part in order[np.cumsum(chance[order]) < self._settings.missed])
        good = {part for part in low if self.tests[part] >= LEAST_TESTS}
        backwards = order[::-1]
        doubt = np.cumsum(1.0 - self._fitting(chance)[backwards])
        sure = [int(part) for part in backwards[doubt < self._settings.blamed]]
        faulty = {part for part in sure if is_confirmed(part, good)}
        return SearchState(frozenset(faulty), frozenset(good), frozenset(range(len(chance))) - faulty - good, chance)

    def _fitting(self, chance: Floats) -> Floats:
        """`chance` corrected for a fleet that has fewer faulty parts than the prior expects.

        The prior suits small groups. Of 4,096 nodes with three faulty ones it expects 123, so two disturbed readings of a good node would look far less unusual than they are.
        """
        share = (1.0 + chance.sum()) / len(chance)
        if share >= self._settings.prior:
            return chance
        odds = chance / np.maximum(1.0 - chance, np.finfo(float).tiny)
        odds *= share / (1.0 - share) * (1.0 - self._settings.prior) / self._settings.prior
        return np.asarray(odds / (1.0 + odds))
