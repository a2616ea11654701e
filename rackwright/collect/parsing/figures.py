"""Numbers as tools print them, where the tool may print ``N/A``, ``NA``, ``-`` or an empty cell instead."""

from __future__ import annotations

from rackwright.base.finite_number import finite_or_none

MOST_DIGITS = 18
"""Digits of a whole number that always fits into 64 bits."""


def integer(text: str) -> int | None:
    """An unsigned whole number of at most `MOST_DIGITS` digits; None for any other text."""
    return int(text) if text.isdecimal() and len(text) <= MOST_DIGITS else None


def decimal(text: str) -> float | None:
    """A finite number; None for any other text, including infinity and nan."""
    return finite_or_none(text)
