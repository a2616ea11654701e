"""Chances of independent failures, for spares and spare nodes.

Logarithms are summed, so that large
expectations do not underflow.
"""

from __future__ import annotations

import math
from bisect import bisect_left

import numpy as np

DEVIATIONS = 12
"""Standard deviations from the mean at which a tail is below what a float can add to one."""


def quantile(mean: float, confidence: float) -> int:
    """The least k with P(at most k events) >= `confidence`, for events that follow a Poisson law with `mean`."""
    if mean <= 0:
        return 0
    reach = DEVIATIONS * math.sqrt(mean) + DEVIATIONS
    low, high = max(0, math.floor(mean - reach)), math.ceil(mean + reach)
    first = low * math.log(mean) - mean - math.lgamma(low + 1)
    steps = math.log(mean) - np.log(np.arange(low + 1, high + 1, dtype=np.float64))
    below = np.cumsum(np.exp(first + np.concatenate(([0.0], np.cumsum(steps)))))
    return low + min(int(np.searchsorted(below, confidence)), high - low)


def at_least(nodes: int, spares: int, availability: float) -> float:
    """P(at least `nodes` of `nodes` + `spares` are up) when each is up with `availability`, independently (binomial)."""
    if availability >= 1:
        return 1.0
    total, odds = nodes + spares, math.log1p(-availability) - math.log(availability)
    down = np.arange(1, spares + 1, dtype=np.float64)
    ways = np.concatenate(([0.0], np.cumsum(np.log((total - down + 1) / down))))
    logs = ways + total * math.log(availability) + np.arange(spares + 1) * odds
    return min(1.0, float(np.exp(logs).sum()))


def spare_nodes(nodes: int, availability: float, confidence: float) -> int | None:
    """The least number of spares with which `nodes` nodes are up with `confidence`; None when it is more than `nodes`."""
    count = bisect_left(range(nodes + 1), confidence, key=lambda spares: at_least(nodes, spares, availability))
    return count if count <= nodes else None
