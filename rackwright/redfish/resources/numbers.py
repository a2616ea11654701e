"""Numbers of a document that may be missing, null or words."""

from __future__ import annotations

from typing import Any

MOST = 1e300
"""Beyond what any sensor reads, and within what a float holds."""
NUMBERS = (float, int)
"""By exact type, because a truth value is no number."""


def maybe(value: Any) -> float | None:
    """A number as it stands there; None for everything else, so that a missing reading is never a zero. Infinity is none, either."""
    if type(value) not in NUMBERS or not -MOST < value < MOST:
        return None
    return float(value)
