"""The table ``cooling``: every CDU and CRAH with its capacity, its load, and its load after the worst declared loss."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import polars as pl

from rackwright.design.cooling.plant import CoolingLoop
from rackwright.model.schemas import SCHEMAS


def rows(plant_loops: Iterable[CoolingLoop]) -> pl.DataFrame:
    """One row per unit, loop by loop. The load of a unit may exceed its capacity: the rules judge that."""
    return pl.DataFrame([row for loop in plant_loops for row in _rows(loop)], schema=SCHEMAS["cooling"], orient="row")


def _rows(loop: CoolingLoop) -> Iterator[tuple[Any, ...]]:
    heat = _shares_by_unit([unit.capacity_watts for unit in loop.units], loop.load_watts, loop.survive)
    flow = _shares_by_unit([unit.flow_capacity for unit in loop.units], loop.load_flow, loop.survive)
    for unit, (load, worst), (moved, most) in zip(loop.units, heat, flow, strict=True):
        head = (unit.name, loop.kind, unit.sku, loop.hall, loop.name)
        yield (*head, unit.capacity_watts, load, worst, moved, unit.flow_capacity, most)


def _shares_by_unit(capacities: list[float], load: float, survive: int) -> list[tuple[float, float]]:
    """Share of `load` per unit, with all alive and after the loss of the `survive` largest others."""
    total = sum(capacities)
    order = sorted(range(len(capacities)), key=lambda at: (-capacities[at], at))
    largest = order[: survive + 1]
    shares = []
    for at, capacity in enumerate(capacities):
        lost_capacity = sum(capacities[index] for index in [unit for unit in largest if unit != at][:survive])
        shares.append((round(_part(capacity, total, load), 3), round(_part(capacity, total - lost_capacity, load), 3)))
    return shares


def _part(capacity: float, total: float, load: float) -> float:
    return load * capacity / total if total > 0 else 0.0
