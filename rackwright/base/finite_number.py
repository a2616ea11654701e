"""Numbers that others report: nothing can be compared with infinity or nan, and JSON has no word for them."""

from __future__ import annotations

from math import isfinite
from typing import Any


def finite(value: Any) -> float:
    """`value` as a number. ValueError for text, infinity and nan, and for a whole number that no float holds."""
    try:
        number = float(value)
    except OverflowError:
        number = float("inf")
    if not isfinite(number):
        raise ValueError(f"{value!r:.40} is not a finite number")
    return number


def finite_or_none(value: Any) -> float | None:
    """The same; None instead of an error."""
    try:
        return finite(value)
    except ValueError:
        return None
