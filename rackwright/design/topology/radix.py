"""Arithmetic of folded Clos fabrics: how many switches of a given radix. Counts only, no names.

k ports per switch at link speed, d of them down, U up, L leaves, S spines, o oversubscription.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

_SMALL_RATIO = 12
"""Oversubscription is a ratio of small numbers that people write as a decimal: 1.33 means 4:3."""
_EIGHTHS_UP = 9
_WIDE_GAP = 2.5
"""rackwright's own limit: published numbers of uplinks (18, 32, 36, 72) have divisors twice as large as the one before."""
MOST_TIERS = 3
"""Leaf, spine and core."""


def ratio(oversubscription: float) -> Fraction:
    """The intended ratio: 1.33 is 4:3."""
    return Fraction(oversubscription).limit_denominator(_SMALL_RATIO)


def split(ports: int, oversubscription: float, down_gbps: int = 1, up_gbps: int = 1) -> tuple[int, int]:
    """Down and up ports of a leaf, at least one of each; rates are those of a whole port used in that direction.

    ``d = floor(k * o * up / (down + o * up))``; with equal rates ``floor(k * o / (o + 1))``, and ``o = 1`` gives the
    non-blocking ``k / 2`` each.
    """
    o = ratio(oversubscription)
    down = min(max(int(ports * o * up_gbps / (down_gbps + o * up_gbps)), 1), ports - 1)
    return down, ports - down if o > 1 or down_gbps != up_gbps else down


def uplinks(hosts: int, oversubscription: float, host_gbps: int = 1, link_gbps: int = 1) -> int:
    """Uplinks that the host ports of a leaf need: ``ceil(hosts * host rate / (o * link rate))``."""
    return max(1, math.ceil(Fraction(hosts * host_gbps, link_gbps) / ratio(oversubscription)))


def smallest_divisor(number: int, at_least: Fraction) -> int | None:
    """The smallest divisor of `number` that is not below `at_least`; None when there is none."""
    return next((divisor for divisor in range(1, number + 1) if number % divisor == 0 and divisor >= at_least), None)


def divisible(up: int, room: int, least: int = 1) -> int:
    """`up` uplinks, or up to an eighth more where their divisors from `least` on lie so far apart that spines would be idle.

    The number of spines is a divisor of the uplinks: 17, a prime, would take 17 spines where three carry all links. Where no divisor is as
    large as `least`, the next multiple of it is taken if there is room. The choice depends on these numbers alone, so that a growing site
    keeps it.
    """
    if _gap(up, least) <= _WIDE_GAP:
        return up
    most = min(room, max(-(-up * _EIGHTHS_UP // 8), -(-up // least) * least))
    return min(range(up, most + 1), key=lambda number: (_gap(number, least), number), default=up)


def _gap(number: int, least: int) -> float:
    """The widest ratio of one divisor to the next, from `least` on; infinite where none is as large."""
    divisors = [least, *(divisor for divisor in range(least, number + 1) if number % divisor == 0)]
    return max((high / low for low, high in pairwise(divisors)), default=math.inf)


@dataclass(frozen=True)
class Tiers:
    """Switches above the leaves."""

    spines: tuple[int, ...]
    """Spines of every pod; one pod in a two-tier fabric."""
    cores: int
    spine_up: int = 0
    """Uplinks of a spine; 0 without cores."""


def two_tiers(leaves: int, up: int, ports: int, least: int = 1) -> Tiers | None:
    """At least `least` spines for `leaves` leaves of `up` uplinks on spines of `ports` ports; None when they cannot all be reached.

    ``S`` is the smallest divisor of ``U`` with ``S >= L * U / k``: every leaf has the same number of links to every
    spine, which OpenSM's fat-tree routing requires of all switches of one rank (current-routing.txt).
    """
    spines = smallest_divisor(up, max(Fraction(leaves * up, ports), Fraction(least)))
    if spines is None or leaves * (up // spines) > ports:
        return None
    return Tiers((spines,), 0)


def three_tiers(pods: Sequence[int], up: int, ports: int, core_ports: int, fewest: int = 1) -> Tiers | None:
    """Spines of pods with so many leaves each, at least `fewest` a pod, and cores; None when a pod is too large or there are too many pods.

    Half of a spine's ports lead down: ``S = smallest divisor of U with S >= L * U / (k / 2)`` per pod. It has as many
    uplinks as it has downlinks in use, and ``C = ceil(all uplinks of spines / k)``. A small last pod gets more spines than
    that, when it needs them to reach every core.
    """
    half = ports // 2
    least = [max(Fraction(leaves * up, half), Fraction(fewest)) for leaves in pods]
    while True:
        spines = [smallest_divisor(up, count) for count in least]
        if any(count is None or leaves * (up // count) > half for count, leaves in zip(spines, pods, strict=True)):
            return None
        pod_spines = tuple(count for count in spines if count is not None)
        rising = max(leaves * (up // count) for count, leaves in zip(pod_spines, pods, strict=True))
        cores = math.ceil(Fraction(sum(pod_spines) * rising, core_ports))
        if all(count * rising >= cores for count in pod_spines):
            return Tiers(pod_spines, cores, rising) if len(pods) <= core_ports else None
        least = [max(count, Fraction(cores, rising)) for count in least]


def pods_of(leaves: int, ports: int) -> list[int]:
    """Leaves dealt into the fewest pods that half the ports of a spine can carry, full ones first."""
    half = max(ports // 2, 1)
    return [min(half, leaves - first) for first in range(0, leaves, half)]
