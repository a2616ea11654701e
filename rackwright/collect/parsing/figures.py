"""Numbers as tools print them, where they may print none: ``N/A``, ``NA``, ``-``, an empty cell."""

from __future__ import annotations

import math
from typing import Any

MOST_DIGITS = 18
"""Of a whole number that 64 bits hold whatever its digits."""


def integer(text: str) -> int | None:
    """A whole number without a sign; None for any other text."""
    return int(text) if text.isdecimal() and len(text) <= MOST_DIGITS else None


def decimal(text: str) -> float | None:
    """A number; None for any other text, also for one that spells infinity or no number."""
    try:
        return finite(text)
    except ValueError:
        return None


def finite(value: Any) -> float:
    """`value` as a number. ValueError for text, infinity and nan."""
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{value!r:.40} is no finite number")
    return number
