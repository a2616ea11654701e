"""What it takes to blame a part: bad tests with good partners, different ones each time, that lose as much as a fault."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean


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


def confirms(tests: Sequence[BadTest], weakest: float, small: float) -> bool:
    """Whether `tests` with good partners blame their part; `weakest` is the smallest loss of a fault, less than `small` must show in a pair.

    A good part that is a little slow reads now above the bound of a fault and now below, which looks like a fault at times: its mean loss says
    that it is none. A small loss hides in some tests, so the partners of a group may be less good than they look.
    """
    if not are_apart(tests):
        return False
    loss = 1.0 - fmean(test.share for test in tests)
    return loss >= weakest and (loss >= small or any(test.is_pair for test in tests))


def are_apart(tests: Sequence[BadTest]) -> bool:
    """At least two tests, and no partner common to all of them."""
    return len(tests) > 1 and not frozenset.intersection(*(test.partners for test in tests))
