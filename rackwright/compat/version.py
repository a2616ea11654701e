"""Comparison of versions, and the patterns and ranges by which rules name them."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

Key = tuple[tuple[int, int], ...]

_PARTS = re.compile(r"\d+|[A-Za-z]+")
_BEFORE = ("alpha", "beta", "rc", "dev", "b", "a")
"""Words of a pre-release, which comes before the release without them (Huawei's 8.2.RC1, Python's 1.0b2)."""
_RANGE = re.compile(r"(>=|<=|<|>)\s*(\S+)")


def key(text: str) -> Key:
    """Sort key of a version: numbers by value, a release candidate before its release, other words ignored.

    Trailing zeros are ignored: ``13.0`` and ``13.0.0`` are one version.
    """
    parts: list[tuple[int, int]] = []
    for part in _PARTS.findall(text):
        if part.isdigit():
            parts.append((0, int(part)))
        elif part.lower() in _BEFORE:
            parts.append((-1, 0))
    while parts and parts[-1] == (0, 0):
        parts.pop()
    return tuple(parts)


def compare(version: str, reference: str) -> int:
    """-1, 0 or 1 if `version` is older than, the same as or newer than `reference`."""
    a, b = key(version), key(reference)
    length = max(len(a), len(b))
    a += ((0, 0),) * (length - len(a))
    b += ((0, 0),) * (length - len(b))
    return (a > b) - (a < b)


def within(version: str, most: str) -> bool:
    """Whether `version` does not exceed `most`, to the precision of `most`: 12.9 is within 12."""
    numbers = re.findall(r"\d+", most)
    return compare(".".join(re.findall(r"\d+", version)[: len(numbers)]), most) <= 0


def fits(version: str, pattern: str) -> bool:
    """Whether `version` matches `pattern`: a range (``>=535 <600``), or a shell pattern (``580.*``)."""
    bounds = _RANGE.findall(pattern)
    if bounds:
        return all(_bounded(compare(version, bound), sign) for sign, bound in bounds)
    return fnmatchcase(version, pattern)


def _bounded(order: int, sign: str) -> bool:
    return {"<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0}[sign]
