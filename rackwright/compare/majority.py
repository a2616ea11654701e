"""What most have. In: how often each word was read. Out: the word that more than half of all readings are, if there is one.

Cut here because equal nodes, ports of a kind and ways of collectives are compared by the same rule: without a majority nobody can say
who is wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable


def majority(read: Iterable[str] | Counter[str]) -> str | None:
    """The value that more than half have; None when no value has, or when there is none."""
    counted = Counter(read)
    value, times = next(iter(counted.most_common(1)), (None, 0))
    return value if 2 * times > counted.total() else None
