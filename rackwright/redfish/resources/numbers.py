"""Numbers of a document that may be missing, null or words."""

from __future__ import annotations

from typing import Any


def maybe(value: Any) -> float | None:
    """A number as it stands there; None for everything else, so that a missing reading is never a zero."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
