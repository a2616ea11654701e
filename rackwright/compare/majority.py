"""The majority of some values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable


def majority(read: Iterable[str] | Counter[str]) -> str | None:
    """The value that more than half have; None if no value has a majority, or if there are no values."""
    counted = Counter(read)
    value, times = next(iter(counted.most_common(1)), (None, 0))
    return value if 2 * times > counted.total() else None
