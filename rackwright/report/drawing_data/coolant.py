"""Heat of every hall on its way out: racks, coolant loop with its CDUs, air with its air handlers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from rackwright.model import facility
from rackwright.model.design import Design
from rackwright.report.drawing_data import heat, plant
from rackwright.report.drawing_data.flow_records import Cooled, Cooling, Water

MOST_RACKS = 24
_SUMS = ("liquid_watts", "air_watts", "coolant_liters_per_minute", "airflow_cfm")


def coolings(design: Design, only: str | None = None) -> list[Cooling]:
    """Every hall with racks, in declared order; with `only`, that hall alone."""
    racks = heat.racks(design)
    by_hall = racks.partition_by("hall", as_dict=True, maintain_order=True)
    return [
        _cooling(design, hall, by_hall[(hall.name,)])
        for hall in design.site.facility.halls
        if (hall.name,) in by_hall and only in (None, hall.name)
    ]


def _cooling(design: Design, hall: facility.Hall, racks: pl.DataFrame) -> Cooling:
    small = racks.height <= MOST_RACKS
    sums = racks.select(pl.col(_SUMS).sum()).row(0, named=True)
    air = design.site.facility.air
    return Cooling(
        hall=hall.name,
        machines=plant.machines(design, hall.name),
        branches=_branches(racks, ["rack"]) if small else _equal(_branches(racks, ["row"])),
        per="rack" if small else "row",
        water=_water(design, hall.name) if sums["liquid_watts"] else None,
        liquid_kw=sums["liquid_watts"] / 1000,
        air_kw=sums["air_watts"] / 1000,
        liters_per_minute=sums["coolant_liters_per_minute"],
        cfm=sums["airflow_cfm"],
        air_supply_celsius=hall.supply_air_celsius,
        containment=air.containment if air else "",
        losses=plant.losses(design, "cooling"),
    )


def _branches(racks: pl.DataFrame, keys: list[str]) -> list[Cooled]:
    rows = racks.group_by(*keys, maintain_order=True).agg(
        pl.len().alias("racks"),
        (pl.col("liquid_watts") > 0).sum().alias("liquid_racks"),
        *(pl.col(column).sum() for column in _SUMS),
    )
    return [
        Cooled(
            name=row["rack"] if keys == ["rack"] else f"row {row['row']}",
            racks=row["racks"],
            liquid_racks=row["liquid_racks"],
            liquid_kw=row["liquid_watts"] / 1000,
            air_kw=row["air_watts"] / 1000,
            liters_per_minute=row["coolant_liters_per_minute"],
            cfm=row["airflow_cfm"],
        )
        for row in rows.iter_rows(named=True)
    ]


def _equal(branches: list[Cooled]) -> list[Cooled]:
    """The branches with neighbouring equal rows merged into one; the figures stay those of one row."""
    merged: list[tuple[Cooled, list[str]]] = []
    for branch in branches:
        same = merged and merged[-1][0].model_copy(update={"name": branch.name}) == branch
        if same:
            merged[-1][1].append(branch.name)
        else:
            merged.append((branch, [branch.name]))
    return [first.model_copy(update={"name": _names(names)}) for first, names in merged]


def _names(names: list[str]) -> str:
    if len(names) == 1:
        return names[0]
    return f"{names[0]} to {names[-1].rpartition(' ')[2]}, each of {len(names)}"


def _water(design: Design, hall: str) -> Water | None:
    liquid = design.site.facility.liquid
    if liquid is None:
        return None
    study: Mapping[str, Any] = design.studies.get("cooling") or {}
    values: Mapping[str, Any] = study.get("water") or {}
    loops = [loop for loop in study.get("loops", []) if (loop["hall"], loop["kind"]) == (hall, "cdu")]
    declared = liquid.facility_water
    supply = declared.supply_celsius if declared else values.get("facility_supply_celsius")
    return Water(
        coolant=liquid.coolant,
        supply_celsius=liquid.supply_celsius,
        return_celsius=liquid.supply_celsius + liquid.delta_t_kelvin,
        approach_kelvin=values.get("approach_kelvin"),
        facility_supply_celsius=supply,
        facility_return_celsius=declared.supply_celsius + declared.delta_t_kelvin if declared else None,
        facility_liters_per_minute=values.get("facility_liters_per_minute"),
        water_class=values.get("class") or "",
        header=_header(loops[0].get("header")) if loops else "",
        leak_detection=liquid.leak_detection,
    )


def _header(pipe: Mapping[str, Any] | None) -> str:
    """``2 × DN150, 1.9 m/s``."""
    if not pipe or not pipe.get("pipe"):
        return ""
    many = f"{pipe['count']} × " if pipe.get("count", 1) > 1 else ""
    speed = pipe.get("meters_per_s")
    return f"{many}{pipe['pipe']}" + (f", {speed:.1f} m/s" if speed else "")
