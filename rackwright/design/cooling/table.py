"""The table ``cooling``: every CDU and CRAH with what it can do, does, and does after the worst declared loss."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import polars as pl

from rackwright.design.cooling.plant import Loop
from rackwright.model.schemas import SCHEMAS


def rows(found: Iterable[Loop]) -> pl.DataFrame:
    """One row per unit, loop by loop. What is asked of a unit may be more than it can: the rules judge that."""
    return pl.DataFrame([row for loop in found for row in _rows(loop)], schema=SCHEMAS["cooling"], orient="row")


def _rows(loop: Loop) -> Iterator[tuple[Any, ...]]:
    heat = _spread([unit.capacity_watts for unit in loop.units], loop.load_watts, loop.survive)
    flow = _spread([unit.flow_capacity for unit in loop.units], loop.load_flow, loop.survive)
    for unit, (load, worst), (moved, most) in zip(loop.units, heat, flow, strict=True):
        head = (unit.name, loop.kind, unit.sku, loop.hall, loop.name)
        yield (*head, unit.capacity_watts, load, worst, moved, unit.flow_capacity, most)


def _spread(capacities: list[float], load: float, survive: int) -> list[tuple[float, float]]:
    """Share of `load` per unit, with all alive and after the loss of the `survive` largest others."""
    total = sum(capacities)
    order = sorted(range(len(capacities)), key=lambda at: (-capacities[at], at))
    largest = order[: survive + 1]
    found = []
    for at, own in enumerate(capacities):
        gone = sum(capacities[other] for other in [one for one in largest if one != at][:survive])
        found.append((round(_part(own, total, load), 3), round(_part(own, total - gone, load), 3)))
    return found


def _part(own: float, total: float, load: float) -> float:
    return load * own / total if total > 0 else 0.0
