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


def met(match: Mapping[str, str], key: Mapping[str, str]) -> bool:
    """Whether `key` has everything that `match` asks for."""
    for name, value in match.items():
        said = key.get(name)
        if said != value and not (name == LIBRARY and said is not None and inside(said, value)):
            return False
    return True


def inside(version: str, wanted: str) -> bool:
    """Whether `version` lies in the range `wanted`; False for a range or a version that cannot be read."""
    span, found = bounds(wanted), re.fullmatch(r"\d+(?:\.\d+)*", version)
    return span is not None and found is not None and span[0] <= _numbers(version) < span[1]


def overlap(one: str | None, other: str | None) -> bool:
    """Whether a version can lie in both ranges; None is no range, and only meets another None."""
    if one is None or other is None:
        return one == other
    first, second = bounds(one), bounds(other)
    if first is None or second is None:
        return one == other
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
