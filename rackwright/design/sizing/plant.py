"""Feeds, UPS, CDUs, air handlers and floors, from the loads of a design that was expanded without limits.

Everything has one unit more than needed where the site must survive a loss.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from rackwright.catalog import Catalog, sizing_practice, water_classes
from rackwright.design.cooling.capacity import capacity_watts
from rackwright.design.sizing.facts import Facts, PlantUnits
from rackwright.design.sizing.knobs import Knobs
from rackwright.design.sizing.power_caps import caps
from rackwright.design.tray_load import tray_loads, trays_needed, usual_tray
from rackwright.model.design import Design
from rackwright.model.plant import Cdu, Crah

Choice = tuple[str, float, float]
"""SKU, watts and flow of one machine."""


def measured(design: Design, knobs: Knobs, facts: Facts, catalog: Catalog) -> Facts:
    """`facts` with the plant that the loads of `design` require."""
    practice = sizing_practice.load()
    feeds = design.power.filter(pl.col("kind") == "feed")
    worst = float(feeds["worst_watts"].max() or 0.0) * (1 + knobs.spare_share)  # type: ignore[arg-type]
    step = practice.feed_step_kw
    kilowatts = math.ceil(worst / 1000 / step) * step
    return replace(
        facts,
        feed_kw=kilowatts,
        caps=caps(design, knobs.feeds, catalog),
        ups=_ups(worst, practice.most_ups_per_feed, catalog),
        floor_kg=_floor(design, practice.floor_step_kg),
        cdus=_units(design, "liquid_watts", "coolant_liters_per_minute", _cdus(catalog, knobs), knobs),
        crahs=_units(design, "air_watts", "airflow_cfm", _crahs(catalog), knobs),
        trays={load.hall: count for load in tray_loads(design) if (count := trays_needed(load, usual_tray())) > 1},
    )


def _ups(watts: float, most: int, catalog: Catalog) -> tuple[str, int] | None:
    """The smallest module with few needed per feed, and one more than needed."""
    for part in sorted(catalog.ups.values(), key=lambda unit: (unit.kw, unit.sku)):
        count = math.ceil(watts / 1000 / part.kw) + 1
        if count <= most:
            return part.sku, count
    largest = max(catalog.ups.values(), key=lambda unit: (unit.kw, unit.sku), default=None)
    return (largest.sku, math.ceil(watts / 1000 / largest.kw) + 1) if largest else None


def _floor(design: Design, step: int) -> int:
    """The heaviest rack with its equipment, in round steps, and no less than the minimum of the site schema."""
    weights = {sku: part.weight_kg for sku, part in design.rack_parts.items()}
    heaviest = max(
        (weight + weights[sku] for sku, weight in design.racks.select("sku", "weight_kg").iter_rows()), default=0.0
    )
    least: int = 1500
    return max(least, math.ceil(heaviest / step) * step)


def _cdus(catalog: Catalog, knobs: Knobs) -> list[Choice]:
    """CDUs at the design approach, from small to large; with more pressure when `knobs` ask for it."""
    approach = water_classes.load().practice.cdu_approach_kelvin
    parts: list[Cdu] = sorted(catalog.cdus.values(), key=lambda cdu: (cdu.liters_per_minute, cdu.sku))
    pressures = sorted({cdu.pressure_kpa for cdu in parts})
    least = pressures[min(knobs.cdu, len(pressures) - 1)]
    fitting = [cdu for cdu in parts if cdu.pressure_kpa >= least]
    return [(cdu.sku, capacity_watts(cdu.capacities, approach), cdu.liters_per_minute) for cdu in fitting]


def _crahs(catalog: Catalog) -> list[Choice]:
    parts: list[Crah] = sorted(catalog.crahs.values(), key=lambda crah: (crah.kw, crah.sku))
    return [(crah.sku, crah.kw * 1000, crah.airflow_cfm) for crah in parts]


def _units(design: Design, heat: str, flow: str, choices: Sequence[Choice], knobs: Knobs) -> tuple[PlantUnits, ...]:
    """Per hall with such heat: the smallest machine with few needed, one more than needed."""
    practice = sizing_practice.load()
    ease = practice.cdus_at_ease if heat == "liquid_watts" else practice.crahs_at_ease
    options = []
    halls = design.racks.group_by("hall", maintain_order=True).agg(pl.col(heat).sum(), pl.col(flow).sum())
    for hall, watts, liters in halls.iter_rows():
        if watts > 0:
            spare = 1 + knobs.spare_share
            needed = [(sku, _count(watts * spare, liters * spare, most, moves)) for sku, most, moves in choices]
            at_ease = [choice for choice in needed if choice[1] <= ease] or [min(needed, key=lambda choice: choice[1])]
            options.append(PlantUnits(at_ease[0][0], at_ease[0][1], hall))
    return tuple(options)


def _count(watts: float, flow: float, most: float, moves: float) -> int:
    return math.ceil(max(watts / most, flow / moves)) + 1
