"""Numbers as tools print them, where they may print none: ``N/A``, ``NA``, ``-``, an empty cell."""

from __future__ import annotations

from rackwright.base.finite_number import finite_or_none

MOST_DIGITS = 18
"""Of a whole number that 64 bits hold whatever its digits."""


def integer(text: str) -> int | None:
    """A whole number without a sign; None for any other text."""
    return int(text) if text.isdecimal() and len(text) <= MOST_DIGITS else None


def decimal(text: str) -> float | None:
    """A number; None for any other text, also for one that spells infinity or no number."""
    return finite_or_none(text)
