"""The 95 % interval of a share that was counted (Wilson 1927)."""

from __future__ import annotations

from math import sqrt

Z = 1.96
"""Of a 95 % interval (normal distribution)."""


def upper(share: float, count: int) -> float:
    """Its upper end."""
    middle = share + Z * Z / (2 * count)
    spread = Z * sqrt(share * (1 - share) / count + Z * Z / (4 * count * count))
    return (middle + spread) / (1 + Z * Z / count)


def lower(share: float, count: int) -> float:
    """Its lower end."""
    return 1.0 - upper(1.0 - share, count)
