"""Ranks the nodes that are suitable as partners: those with the best and steadiest readings, with many different
partners.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import sqrt

LEAST_TESTS = 2


def ranked(tests: Iterable[tuple[Sequence[int], float]], sigma: float) -> list[int]:
    """Parts of two tests or more, by the lower end of what they reach.

    That is the mean less the standard error of its readings, with `sigma` (a share) as the least scatter; of equal ones whoever met more others.
    """
    shares: dict[int, list[float]] = defaultdict(list)
    partners: dict[int, int] = defaultdict(int)
    for group, share in tests:
        together = sum(1 << part for part in group)  # a bit per part
        for part in group:
            shares[part].append(share)
            partners[part] |= together
    scores = {part: _least(read, sigma) for part, read in shares.items() if len(read) >= LEAST_TESTS}
    return sorted(scores, key=lambda part: (-scores[part], -partners[part].bit_count(), part))


def _least(read: Sequence[float], sigma: float) -> float:
    """Mean minus its standard error."""
    mean = sum(read) / len(read)
    scatter = sum((share - mean) ** 2 for share in read) / len(read)
    return mean - sqrt((scatter + sigma**2) / len(read))
