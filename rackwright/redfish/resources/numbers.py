"""Numbers of a document that may be missing, null or words."""

from __future__ import annotations

from typing import Any

from rackwright.base.finite_number import finite_or_none

MOST = 1e300
"""Beyond what any sensor reads; sums of such readings are still within what a float holds."""
NUMBERS = (float, int)
"""By exact type, because a truth value is no number."""


def maybe(value: Any) -> float | None:
    """A number as it stands there; None for everything else, so that a missing reading is never a zero. Infinity is none, either."""
    number = finite_or_none(value) if type(value) in NUMBERS else None
    return number if number is not None and abs(number) < MOST else None
