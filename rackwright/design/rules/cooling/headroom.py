"""Whether a loop carries its racks after the declared loss of units; the arithmetic that both capacity rules share.

Heat and flow are judged together, because a loop that lacks either is short: one loop, one finding.
"""

from __future__ import annotations

import math

from rackwright.design.cooling.plant import CoolingLoop
from rackwright.design.cooling.remaining_capacity import worst
from rackwright.design.rules.rule import finding
from rackwright.model.verdict import Finding

NOTHING = 1e-9
"""Smaller differences are rounding."""


def judge_headroom(loop: CoolingLoop, source: str, field: str) -> Finding:
    """The finding of one loop; `field` is where the site declares its units."""
    if not loop.units:
        return _without_units(loop, source, field)
    remaining = worst(loop, loop.survive)
    short = _shortfalls(loop, remaining.watts, remaining.flow)
    can = f"{remaining.watts / 1000:,.1f} kW and {remaining.flow:,.0f} {loop.flow_unit}{_after_loss(loop)}"
    required = f"{loop.load_watts / 1000:,.1f} kW and {loop.load_flow:,.0f} {loop.flow_unit}"
    expected = f"at least {required} for {len(loop.racks)} racks"
    says = f"{loop.name} carries {can}" + (f", short by {' and '.join(short)}" if short else "")
    step = f"raise the count of {_skus(loop)} in {loop.hall} to {units_needed(loop)} ({field}), or move racks to another hall"
    return finding(not short, can, expected, source, says, step)


def units_needed(loop: CoolingLoop) -> int:
    """Number of units like the smallest of the loop that carry it, with the declared loss."""
    watts = min(unit.capacity_watts for unit in loop.units)
    flow = min(unit.flow_capacity for unit in loop.units)
    if not watts or not flow or not math.isfinite(loop.load_flow):
        return len(loop.units) + 1
    counts = (math.ceil(loop.load_watts / watts - NOTHING), math.ceil(loop.load_flow / flow - NOTHING))
    return max(counts) + loop.survive


def _shortfalls(loop: CoolingLoop, watts: float, flow: float) -> list[str]:
    heat, moved = loop.load_watts - watts, loop.load_flow - flow
    shortfalls = [f"{heat / 1000:,.3g} kW"] if heat > loop.load_watts * NOTHING else []
    return shortfalls + ([f"{moved:,.3g} {loop.flow_unit}"] if moved > loop.load_flow * NOTHING else [])


def _after_loss(loop: CoolingLoop) -> str:
    if not loop.survive:
        return f" with all {len(loop.units)} {loop.noun}s"
    return f" with {max(0, len(loop.units) - loop.survive)} of {len(loop.units)} {loop.noun}s"


def _skus(loop: CoolingLoop) -> str:
    return " or ".join(sorted({unit.sku for unit in loop.units}))


def _without_units(loop: CoolingLoop, source: str, field: str) -> Finding:
    heat = f"{loop.load_watts / 1000:,.1f} kW"
    says = f"{len(loop.racks)} racks of {loop.hall} give {heat} to {loop.name}, and it has no {loop.noun}"
    step = f"declare a set of {loop.noun}s with hall: {loop.hall} under {field}"
    return finding(False, f"no {loop.noun}", f"{loop.noun}s for {heat}", source, says, step)
