"""Checks numbers that others report: infinity and nan cannot be compared, and JSON has no notation for them."""

from __future__ import annotations

from math import isfinite
from typing import Any


def finite(value: Any) -> float:
    """`value` as a float. ValueError for text, infinity and nan, and for a whole number that no float holds."""
    try:
        number = float(value)
    except OverflowError:
        number = float("inf")
    if not isfinite(number):
        raise ValueError(f"{value!r:.40} is not a finite number")
    return number


def finite_or_none(value: Any) -> float | None:
    """As `finite`, but None instead of an error."""
    try:
        return finite(value)
    except ValueError:
        return None
