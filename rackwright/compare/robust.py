"""Robust statistics of peers: the largest distance from the median that chance still explains for one of n parts.

Median and median absolute deviation hold although up to half of the parts are bad (Rousseeuw and Croux, Alternatives to
the median absolute deviation, JASA 88, 1993).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, pi, sin, sqrt
from statistics import NormalDist, median

import numpy as np
from numpy.typing import NDArray

CONSISTENT = 1.4826
"""Ratio of standard deviation to median absolute deviation in a normal distribution: 1 / its upper quartile."""
EFFICIENCY = 0.42
"""The scale of n parts is known as well as from this share of them.

For very many normal readings the share is 0.37 (Rousseeuw and Croux, table 2); for 8 to 500 of them, this one keeps the
rate of false alarms just below the requested one, which `benchmarks/judge.py` measures.
"""


@dataclass(frozen=True)
class Spread:
    """Median and scale of comparable parts."""

    count: int
    middle: float
    scale: float
    """Robust standard deviation; 0 if more than half of the parts read the same."""

    def distance(self, chance: float) -> float:
        """Distance from the median, to one side, that a good part exceeds with probability `chance` at most.

        Student's t with the degrees of freedom of the scale; both the part itself and the median vary.
        """
        freedom = max(1.0, EFFICIENCY * (self.count - 1))
        return self.scale * sqrt(1 + pi / (2 * self.count)) * student(chance, freedom)


def spread(values: Sequence[float]) -> Spread:
    """The spread of `values`; there must be at least one."""
    middle = median(values)
    return Spread(len(values), middle, CONSISTENT * median(abs(value - middle) for value in values))


def medians(
    group: NDArray[np.intp], value: NDArray[np.float64], groups: int
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Number of values of each group from 0 to `groups` - 1, and their median (nan for an empty group).

    The numbers equal those of `statistics.median` to the last bit. `value` must be ascending, so that a caller who
    groups the same values in several ways sorts them once; `group` is the group of each value.
    """
    # a stable sort of small numbers is a radix sort: a tenth of the time of one by both keys
    order = np.argsort(group.astype(np.min_scalar_type(groups)), kind="stable")
    sizes = np.bincount(group, minlength=groups)
    filled = sizes > 0
    starts, many = (np.cumsum(sizes) - sizes)[filled], sizes[filled]
    ordered, middles = value[order], np.full(groups, np.nan)
    middles[filled] = (ordered[starts + (many - 1) // 2] + ordered[starts + many // 2]) / 2
    return sizes, middles


def spreads(group: NDArray[np.intp], value: NDArray[np.float64], groups: int) -> list[Spread | None]:
    """By group: the `spread` of its values, in any order; None for an empty group."""
    order = np.argsort(value)
    sizes, middles = medians(group[order], value[order], groups)
    away = np.abs(value - middles[group])
    order = np.argsort(away)
    _, apart = medians(group[order], away[order], groups)
    rows = zip(sizes.tolist(), middles.tolist(), apart.tolist(), strict=True)
    return [Spread(count, middle, CONSISTENT * half) if count else None for count, middle, half in rows]


@lru_cache(maxsize=4096)
def student(chance: float, freedom: float) -> float:
    """The value that Student's t exceeds with probability `chance` (below one half).

    G. W. Hill, Algorithm 396: Student's t-quantiles, Communications of the ACM 13 (10), 1970: six digits above two degrees of
    freedom, three at two. Below two it is Cauchy's distribution, which is wider.
    """
    p, n = 2 * chance, freedom
    if n < 2:  # between Cauchy's distribution and two degrees: the wider one
        return sin(pi / 2 - p * pi / 2) / sin(p * pi / 2)
    a = 1 / (n - 0.5)
    b = 48 / a**2
    c = ((20700 * a / b - 98) * a - 16) * a + 96.36
    d = ((94.5 / (b + c) - 3) / b + 1) * sqrt(a * pi / 2) * n
    y = (d * p) ** (2 / n)
    if y > 0.05 + a:
        x = NormalDist().inv_cdf(p / 2)
        y = x**2
        c += 0.3 * (n - 4.5) * (x + 0.6) if n < 5 else 0
        c = (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b + c
        y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x
        y = a * y**2
        y = exp(y) - 1 if y > 0.002 else 0.5 * y**2 + y
    else:
        y = ((1 / (((n + 6) / (n * y) - 0.089 * d - 0.822) * (n + 2) * 3) + 0.5 / (n + 4)) * y - 1) * (n + 1) / (
            n + 2
        ) + 1 / y
    return sqrt(n * y)
