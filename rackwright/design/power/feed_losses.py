"""Which feeds may fail together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TypeVar

_T = TypeVar("_T", str, int)


def feed_loss_sets(feeds: Sequence[_T], survive: int) -> Iterator[frozenset[_T]]:
    """Every set of feeds that may fail together, the empty one first."""
    for count in range(min(survive, len(feeds)) + 1):
        yield from (frozenset(lost) for lost in combinations(feeds, count))
