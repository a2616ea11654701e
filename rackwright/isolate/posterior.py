"""The posterior fault probability of each part after every test so far.

A test is bad when any of its parts is, so tests and parts form a factor graph, and probabilities follow by message passing (sum-product; Pearl 1988): exact where no two tests share two parts, and close where they do.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
ROUNDS = 40
SETTLED = 1e-3
"""Messages that change by less count as converged."""
SURE = 40.0
"""Log-odds beyond which double precision makes no difference."""


class Posterior:
    """Fault probabilities of parts, which are numbered from 0."""

    def __init__(self, prior: Floats) -> None:
        """`prior`: shape (parts,), the probability of each part to be faulty before any test."""
        self._prior: Floats = np.log(prior) - np.log1p(-prior)
        self._test: NDArray[np.int64] = np.zeros(0, np.int64)
        self._part: NDArray[np.int64] = np.zeros(0, np.int64)
        self._message: Floats = np.zeros(0)
        self._good: list[float] = []
        self._bad: list[float] = []

    def take(self, parts: Sequence[int], evidence: tuple[float, float]) -> None:
        """Add a test of `parts`; `evidence` comes from `Noise.evidence`."""
        count = len(parts)
        self._test = np.concatenate([self._test, np.full(count, len(self._good))])
        self._part = np.concatenate([self._part, np.asarray(parts, np.int64)])
        self._good.append(evidence[0])
        self._bad.append(evidence[1])

    def probabilities(self) -> Floats:
        """Shape (parts,): fault probabilities; they depend only on the readings, not on earlier calls."""
        self._message = np.zeros(len(self._test))
        for _ in range(ROUNDS if self._good else 0):
            before = self._message
            self._message = (before + self._pass()) / 2.0  # half of the old one, or loops swing
            if np.abs(self._message - before).max() < SETTLED:
                break
        return np.asarray(1.0 / (1.0 + np.exp(-self._odds())))

    def _odds(self) -> Floats:
        messages = np.bincount(self._part, self._message, minlength=len(self._prior))
        return np.clip(self._prior + messages, -SURE, SURE)

    def _pass(self) -> Floats:
        """Message of every test to each of its parts: the log-odds of its reading with the part bad against the part good."""
        odds = np.clip(self._odds()[self._part] - self._message, -SURE, SURE)
        good = -np.logaddexp(0.0, odds)  # log of the probability that the part is good
        all_good = np.bincount(self._test, good, minlength=len(self._good))
        rest_good = np.exp(np.minimum(all_good[self._test] - good, 0.0))  # all others of the test are good
        log_good, log_bad = np.asarray(self._good)[self._test], np.asarray(self._bad)[self._test]
        top = np.maximum(log_good, log_bad)
        mixed = rest_good * np.exp(log_good - top) + (1.0 - rest_good) * np.exp(log_bad - top)
        return np.asarray(log_bad - top - np.log(mixed))
