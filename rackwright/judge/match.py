"""Whether a limit row holds for a part.

Every value is compared as it stands, but for ``library``, which is a range of versions: ``>=2.24 <2.28``, ``==2.27.3``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

LIBRARY = "library"
BOUND = re.compile(r"(>=|<|==)(\d+(?:\.\d+)*)")
END = (1 << 62,)
"""Above every version."""

Version = tuple[int, ...]


def has_all(match: Mapping[str, str], key: Mapping[str, str]) -> bool:
    """Whether `key` has everything that `match` asks for."""
    for name, value in match.items():
        key_value = key.get(name)
        if key_value != value and not (name == LIBRARY and key_value is not None and inside(key_value, value)):
            return False
    return True


def inside(version: str, bound_range: str) -> bool:
    """Whether `version` lies in the range `wanted`; False for a range or a version that cannot be read."""
    span, parsed = bounds(bound_range), re.fullmatch(r"\d+(?:\.\d+)*", version)
    return span is not None and parsed is not None and span[0] <= _numbers(version) < span[1]


def overlap(first_range: str | None, second_range: str | None) -> bool:
    """Whether a version can lie in both ranges; None is no range, and only meets another None."""
    if first_range is None or second_range is None:
        return first_range == second_range
    first, second = bounds(first_range), bounds(second_range)
    if first is None or second is None:
        return first_range == second_range
    return max(first[0], second[0]) < min(first[1], second[1])


@cache
def bounds(text: str) -> tuple[Version, Version] | None:
    """Lowest version of a range and the first one above it; None when the text is no range."""
    low: Version = ()
    high: Version = END
    for word in text.replace(",", " ").split():
        part = BOUND.fullmatch(word)
        if part is None:
            return None
        numbers = _numbers(part[2])
        if part[1] in (">=", "=="):
            low = max(low, numbers)
        if part[1] in ("<", "=="):
            high = min(high, numbers if part[1] == "<" else (*numbers[:-1], numbers[-1] + 1))
    return (low, high) if text.strip() else None


@cache
def _numbers(version: str) -> Version:
    return tuple(int(part) for part in version.split("."))
