"""Numbers of a document that may be missing, null or words."""

from __future__ import annotations

from typing import Any

NUMBERS = (float, int)
"""By exact type, because a truth value is no number."""


def maybe(value: Any) -> float | None:
    """A number as it stands there; None for everything else, so that a missing reading is never a zero."""
    return float(value) if type(value) in NUMBERS else None
