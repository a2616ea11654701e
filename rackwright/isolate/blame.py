"""Decides when a part is blamed: after bad tests with good partners, different ones each time, with the loss of a
fault.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from rackwright.isolate.noise import Noise

ALIKE = 3.0
"""Standard deviations of a reading: 97 of 100 differences between two readings of one loss are smaller."""


@dataclass(frozen=True)
class BadTest:
    """One bad test of a part."""

    partners: frozenset[int]
    share: float
    """Reading as a share of the expected value."""

    @property
    def is_pair(self) -> bool:
        """Whether the part has only one partner in this test."""
        return len(self.partners) == 1


def confirms(tests: Sequence[BadTest], noise: Noise, small: float) -> bool:
    """Whether `tests` with good partners blame their part; a part that loses less than `small` is blamed only after a
    bad pair test.

    A good part that is a little slow reads sometimes above the bound of a fault and sometimes below it, as if it were
    faulty at times: its mean loss shows that it is not. Tests that lose the same are bad because of the same part. If
    they lose different amounts, or so little that the loss does not identify a part, each may be bad because of another
    partner that was good in its few other tests: then one test must be a pair.
    """
    shares = [test.share for test in tests]
    if not are_apart(tests) or 1.0 - fmean(shares) < noise.weakest:
        return False
    lose_the_same = max(shares) - min(shares) < ALIKE * noise.sigma and 1.0 - fmean(shares) >= small
    return lose_the_same or any(test.is_pair for test in tests)


def are_apart(tests: Sequence[BadTest]) -> bool:
    """Whether there are at least two tests, and no partner is in all of them."""
    return len(tests) > 1 and not frozenset.intersection(*(test.partners for test in tests))
