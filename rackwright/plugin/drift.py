"""How what is wanted differs from what is recorded."""

from __future__ import annotations

from typing import NamedTuple


class Drift(NamedTuple):
    """How wanted inputs differ from a recorded resource."""

    changed: list[str]
    """Inputs with another value."""
    drifted: list[str]
    """Outputs that are not as they should be."""
    replaces: list[str]
    """Changed inputs that make it another resource."""
