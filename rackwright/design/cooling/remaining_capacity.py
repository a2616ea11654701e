"""The remaining capacity of a loop after CDUs, pumps or CRAHs fail, and the racks that then have no cooling.

Racks are cooled in design order until heat or flow runs out; those behind have none. So the set of racks down only grows when more fails. A
CDU with lost pumps moves flow, and with it heat, in proportion to its remaining pumps over those it needs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np

from rackwright.design.cooling.plant import CoolingLoop, CoolingUnit

EXACT = 1 + 1e-9
"""Sums of floats may be off in the last digits; a loop loaded to the last watt still carries its load."""


@dataclass(frozen=True)
class RemainingCapacity:
    """Heat and flow that a loop still carries, and the racks it no longer cools."""

    watts: float
    flow: float
    share: float
    """Of all its capacity or flow, whichever is less."""
    racks_down: tuple[str, ...]


def remaining_capacity(
    loop: CoolingLoop, lost: Collection[str] = (), pumps: Mapping[str, int] | None = None
) -> RemainingCapacity:
    """The loop without the units `lost` and without the given number of `pumps` of other units."""
    lost_pumps = pumps or {}
    alive = [(unit, _pump_flow(unit, lost_pumps.get(unit.name, 0))) for unit in loop.units if unit.name not in lost]
    watts = sum(unit.capacity_watts * share for unit, share in alive)
    flow = sum(unit.flow_capacity * share for unit, share in alive)
    return RemainingCapacity(watts, flow, round(_share(loop, watts, flow), 4), down(loop, watts, flow))


def down(loop: CoolingLoop, watts: float, flow: float) -> tuple[str, ...]:
    """Racks, in design order, that are beyond this heat (watts) and flow."""
    heated, flowed = np.cumsum(loop.watts), np.cumsum(loop.flows)
    reached = int(((heated <= watts * EXACT) & (np.round(flowed, 3) <= flow * EXACT)).sum())
    return loop.racks[reached:]


def worst_units(loop: CoolingLoop, count: int) -> tuple[str, ...]:
    """The `count` units whose loss takes down most racks, else leaves the smallest share; equal units are tried once."""
    equal: dict[tuple[float, float], list[str]] = {}
    for unit in loop.units:
        equal.setdefault((unit.capacity_watts, unit.flow_capacity), []).append(unit.name)
    kinds = list(equal.values())
    tried = []
    for picked in combinations_with_replacement(range(len(kinds)), min(count, len(loop.units))):
        counts = Counter(picked)
        if all(many <= len(kinds[kind]) for kind, many in counts.items()):
            names = tuple(name for kind, many in sorted(counts.items()) for name in kinds[kind][:many])
            what = remaining_capacity(loop, names)
            tried.append((-len(what.racks_down), what.share, names))
    return min(tried)[2]


def worst_pumps(loop: CoolingLoop) -> str:
    """The unit with the worst effect when as many of its pumps fail as must be survived, at least one."""
    lost = max(1, loop.survive_pumps)
    first = {
        (unit.capacity_watts, unit.flow_capacity, unit.pumps, unit.pumps_needed): unit.name
        for unit in reversed(loop.units)
    }

    def hurt(name: str) -> tuple[int, float, str]:
        what = remaining_capacity(loop, pumps={name: lost})
        return -len(what.racks_down), what.share, name

    return min(first.values(), key=hurt)


def worst(loop: CoolingLoop, count: int) -> RemainingCapacity:
    """Guaranteed capacity after any `count` units failed: without the largest capacities and the largest flows."""
    capacities = sorted(unit.capacity_watts for unit in loop.units)
    flows = sorted(unit.flow_capacity for unit in loop.units)
    keep = max(0, len(loop.units) - count)
    watts, flow = sum(capacities[:keep]), sum(flows[:keep])
    return RemainingCapacity(watts, flow, round(_share(loop, watts, flow), 4), down(loop, watts, flow))


def _pump_flow(unit: CoolingUnit, lost: int) -> float:
    if not lost or not unit.pumps_needed:
        return 1.0
    return min(1.0, max(0, unit.pumps - lost) / unit.pumps_needed)


def _share(loop: CoolingLoop, watts: float, flow: float) -> float:
    parts = [now / full for now, full in ((watts, loop.capacity_watts), (flow, loop.flow_capacity)) if full]
    return min(parts, default=0.0)
