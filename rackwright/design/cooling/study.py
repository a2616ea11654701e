"""The cooling study: load, capacity and power draw of the site's plant, ready for JSON with units in the names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rackwright.catalog import Catalog, water_classes
from rackwright.design.cooling.capacity import approach_kelvin
from rackwright.design.cooling.flow import liters_per_minute
from rackwright.design.cooling.leak import detectors
from rackwright.design.cooling.pipes import size_header
from rackwright.design.cooling.plant import CoolingLoop
from rackwright.design.cooling.remaining_capacity import worst
from rackwright.model.design import Design
from rackwright.model.facility import Hall, Liquid
from rackwright.model.plant import Coolant

MILLIMETERS = 1000
WATER = "water"
"""Coolant SKU whose properties facility water has."""


def study(design: Design, catalog: Catalog, plant_loops: Sequence[CoolingLoop]) -> dict[str, Any]:
    """Loads, plant draw, water, loops with headroom, and leak detectors."""
    racks = design.racks
    liquid = design.site.facility.liquid
    return {
        "liquid_kw": float(racks["liquid_watts"].sum()) / 1000,
        "air_kw": float(racks["air_watts"].sum()) / 1000,
        "coolant_liters_per_minute": round(float(racks["coolant_liters_per_minute"].sum()), 1),
        "air_cfm": round(float(racks["airflow_cfm"].sum()), 1),
        "plant_kw": sum(unit.power_watts for loop in plant_loops for unit in loop.units) / 1000,
        "water": _water(design, catalog, liquid) if liquid else None,
        "loops": [_loop(design, catalog, loop) for loop in plant_loops],
        "leak_detectors": detectors(design, catalog),
    }


def _water(design: Design, catalog: Catalog, liquid: Liquid) -> dict[str, Any]:
    """Temperatures of both loops, the W class, and the facility water that carries the liquid heat away."""
    approach = approach_kelvin(liquid)
    supply = liquid.supply_celsius - approach
    facility, water = liquid.facility_water, catalog.coolants.get(WATER)
    flow = None
    if facility and water:
        watts = float(design.racks["liquid_watts"].sum())
        density, capacity = water.density_kg_per_m3, water.heat_capacity_j_per_kg_k
        flow = round(liters_per_minute(watts, density, capacity, facility.delta_t_kelvin), 1)
    return {
        "coolant": liquid.coolant,
        "supply_celsius": liquid.supply_celsius,
        "return_celsius": liquid.supply_celsius + liquid.delta_t_kelvin,
        "approach_kelvin": round(approach, 3),
        "facility_supply_celsius": round(supply, 3),
        "facility_supply_declared": facility is not None,
        "facility_liters_per_minute": flow,
        "class": water_classes.load().of(supply).name,
    }


def _loop(design: Design, catalog: Catalog, loop: CoolingLoop) -> dict[str, Any]:
    remaining = worst(loop, loop.survive)
    flow = "liters_per_minute" if loop.kind == "cdu" else "cfm"
    figures = {
        "loop": loop.name,
        "hall": loop.hall,
        "kind": loop.kind,
        "units": len(loop.units),
        "skus": sorted({unit.sku for unit in loop.units}),
        "racks": len(loop.racks),
        "load_kw": loop.load_watts / 1000,
        "capacity_kw": round(loop.capacity_watts / 1000, 3),
        "worst_capacity_kw": round(remaining.watts / 1000, 3),
        "headroom_kw": round((remaining.watts - loop.load_watts) / 1000, 3),
        flow: loop.load_flow,
        f"capacity_{flow}": round(loop.flow_capacity, 3),
        f"worst_capacity_{flow}": round(remaining.flow, 3),
        f"headroom_{flow}": round(remaining.flow - loop.load_flow, 3),
        "plant_kw": sum(unit.power_watts for unit in loop.units) / 1000,
    }
    return figures | (_hydraulics(design, catalog, loop) if loop.kind == "cdu" else {})


def _hydraulics(design: Design, catalog: Catalog, loop: CoolingLoop) -> dict[str, Any]:
    """Header and pressures of a coolant loop; null where a value is unknown."""
    facility = design.site.facility
    coolant = design.plant_parts.get(facility.liquid.coolant) if facility.liquid else None
    if not isinstance(coolant, Coolant) or not loop.units or facility.liquid is None:
        return {"header": None, "rack_pressure_kpa": None, "needed_pressure_kpa": None, "pressure_kpa": None}
    hall = next(candidate for candidate in facility.halls if candidate.name == loop.hall)
    pipe = size_header(loop.load_flow, coolant, _run_meters(catalog, hall))
    racks = _rack_pressure_kpa(design, loop)
    pressures = [catalog.cdus[unit.sku].pressure_kpa for unit in loop.units]
    needed = facility.liquid.loop_pressure_kpa
    if needed is None and racks is not None and pipe.pressure_kpa is not None:
        needed = round(racks + pipe.pressure_kpa, 1)
    return {
        "header": {
            "pipe": pipe.pipe,
            "count": pipe.count,
            "meters_per_s": pipe.meters_per_s,
            "run_meters": pipe.run_meters,
        },
        "pipe_pressure_kpa": pipe.pressure_kpa,
        "rack_pressure_kpa": racks,
        "needed_pressure_kpa": needed,
        "pressure_kpa": min(pressures),
    }


def _run_meters(catalog: Catalog, hall: Hall) -> float:
    """From the CDUs past every row to the end of the farthest row, and back."""
    width = catalog.racks[hall.rack].width_mm
    across = hall.rows * catalog.routing.row_pitch_millimeters
    return 2 * (across + hall.racks_per_row * width) / MILLIMETERS


def _rack_pressure_kpa(design: Design, loop: CoolingLoop) -> float | None:
    """The highest drop of any liquid-cooled device; devices of a rack hang side by side on its manifold."""
    skus = set(design.devices.filter(design.devices["rack"].is_in(loop.racks))["sku"].unique())
    parts = [part for part in design.servers.values() if part.sku in skus]
    needs = [part.liquid for part in parts] + [part.liquid for sku, part in design.switches.items() if sku in skus]
    drops = [need.pressure_drop_kpa for need in needs if need is not None]
    published = [drop for drop in drops if drop is not None]
    return max(published) if published and len(published) == len(drops) else None
