"""What it takes to blame a part: bad tests with good partners, different ones each time, that lose as much as a fault."""

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
    """Of the expected value."""

    @property
    def is_pair(self) -> bool:
        """Whether only one partner may have been the cause."""
        return len(self.partners) == 1


def confirms(tests: Sequence[BadTest], noise: Noise, small: float) -> bool:
    """Whether `tests` with good partners blame their part; `small`: a part that loses less is blamed only after a bad pair.

    A good part that is a little slow reads now above the bound of a fault and now below, which looks like a fault at times: its mean loss says
    that it is none. Groups that lose the same are bad by the same part. Where they lose something else each time, or little, so that a loss says
    nothing of who lost it, each may be bad by another partner that was good in its few other tests: then one must be a pair.
    """
    shares = [test.share for test in tests]
    if not are_apart(tests) or 1.0 - fmean(shares) < noise.weakest:
        return False
    lose_the_same = max(shares) - min(shares) < ALIKE * noise.sigma and 1.0 - fmean(shares) >= small
    return lose_the_same or any(test.is_pair for test in tests)


def are_apart(tests: Sequence[BadTest]) -> bool:
    """At least two tests, and no partner common to all of them."""
    return len(tests) > 1 and not frozenset.intersection(*(test.partners for test in tests))
