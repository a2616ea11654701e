"""Arithmetic of folded Clos fabrics: how many switches of a given radix. Counts only; nothing is named here.

k ports per switch at link speed, d of them down, U up, L leaves, S spines, o oversubscription.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

_SMALL_RATIO = 12
"""Oversubscription is a ratio of small numbers that people write as a decimal: 1.33 means 4:3."""


def ratio(oversubscription: float) -> Fraction:
    """The ratio that was meant: 1.33 is 4:3."""
    return Fraction(oversubscription).limit_denominator(_SMALL_RATIO)


def split(ports: int, oversubscription: float) -> tuple[int, int]:
    """Down and up ports of a leaf: ``d = floor(k * o / (o + 1))``, ``U = k - d``, and at least one of each.

    ``o = 1`` gives the non-blocking ``k / 2`` each.
    """
    o = ratio(oversubscription)
    down = min(max(int(ports * o / (o + 1)), 1), ports - 1)
    return down, ports - down if o > 1 else down


def smallest_divisor(number: int, at_least: Fraction) -> int | None:
    """The smallest divisor of `number` that is not below `at_least`; None when there is none."""
    return next((one for one in range(1, number + 1) if number % one == 0 and one >= at_least), None)


@dataclass(frozen=True)
class Tiers:
    """Switches above the leaves."""

    spines: int
    cores: int
    pods: int
    """Groups of leaves with spines of their own; 1 in a two-tier fabric."""
    leaves_per_pod: int


def tiers(leaves: int, up: int, ports: int) -> Tiers | None:
    """Spines and cores for `leaves` leaves with `up` uplinks each; None when three tiers are not enough.

    Two tiers: ``S`` is the smallest divisor of ``U`` with ``S >= L * U / k``: every leaf has the same number of links to
    every spine, which OpenSM's fat-tree routing requires of all switches of one rank. Three tiers: pods of ``k / 2``
    leaves, half of each spine's ports down and half up, cores likewise in equal groups.
    """
    if leaves <= 1:
        return Tiers(0, 0, 1, max(leaves, 1))
    spines = smallest_divisor(up, Fraction(leaves * up, ports))
    if spines and leaves * (up // spines) <= ports:
        return Tiers(spines, 0, 1, leaves)
    half = ports // 2
    pods = math.ceil(leaves / half)
    spines_per_pod = smallest_divisor(up, Fraction(min(leaves, half) * up, half))
    cores_per_spine = smallest_divisor(half, Fraction(pods * half, ports))
    if spines_per_pod is None or cores_per_spine is None or pods * (half // cores_per_spine) > ports:
        return None
    return Tiers(spines_per_pod * pods, spines_per_pod * cores_per_spine, pods, half)
