"""Every hall from above: which rack stands where, what it draws, and what cools and feeds it.

Equal racks side by side become one run, so that a hall of thousands stays small.
"""

from __future__ import annotations

from typing import Any

import polars as pl

from rackwright.model import facility
from rackwright.model.design import Design
from rackwright.report.drawing_data import heat, plant
from rackwright.report.drawing_data.records import Hall, Row, Run

SINGLE_RACKS = 600
"""A hall with more racks is drawn by runs: names of single racks could not be read any more."""
_FIGURES = ("kind", "peak_watts", "liquid_watts", "weight_kg")


def halls(design: Design, only: str | None = None) -> list[Hall]:
    """The halls of the site in declared order; with `only` that one."""
    racks = heat.racks(design)
    drawn = [hall for hall in design.site.facility.halls if only in (None, hall.name)]
    return [_hall(design, hall, racks.filter(pl.col("hall") == hall.name)) for hall in drawn]


def _hall(design: Design, asked: facility.Hall, racks: pl.DataFrame) -> Hall:
    runs = _runs(racks, single=racks.height <= SINGLE_RACKS)
    by_row = {
        row["row"]: row
        for row in racks.group_by("row")
        .agg(pl.len().alias("racks"), pl.col("peak_watts").sum(), pl.col("liquid_watts").sum())
        .iter_rows(named=True)
    }
    nothing = {"racks": 0, "peak_watts": 0, "liquid_watts": 0.0}
    rows = [_row(number, by_row.get(number, nothing), runs.get(number, [])) for number in range(1, asked.rows + 1)]
    air = design.site.facility.air
    return Hall(
        name=asked.name,
        places_per_row=asked.racks_per_row,
        rows=rows,
        racks=racks.height,
        kw=sum(row.kw for row in rows),
        liquid_kw=sum(row.liquid_kw for row in rows),
        floor_kg=float(asked.floor_load_kg_per_rack),
        supply_celsius=asked.supply_air_celsius,
        containment=air.containment if air else "",
        machines=plant.machines(design, asked.name),
        sources=plant.sources(design, racks["rack"]),
    )


def _row(number: int, sums: dict[str, float], runs: list[Run]) -> Row:
    return Row(
        number=number,
        racks=int(sums["racks"]),
        kw=sums["peak_watts"] / 1000,
        air_kw=(sums["peak_watts"] - sums["liquid_watts"]) / 1000,
        liquid_kw=sums["liquid_watts"] / 1000,
        runs=runs,
    )


def _runs(racks: pl.DataFrame, *, single: bool) -> dict[int, list[Run]]:
    """By row: neighbours with the same figures as one run, or every rack by itself."""
    if racks.is_empty():
        return {}
    ordered = racks.sort("row", "position")
    same = [pl.col(name) == pl.col(name).shift() for name in ("row", *_FIGURES)]
    beside = pl.col("position") == pl.col("position").shift() + 1
    starts = (~pl.all_horizontal(*same, beside)).fill_null(value=True)
    number = pl.int_range(pl.len()) if single else starts.cast(pl.Int32).cum_sum()
    runs = (
        ordered.with_columns(number.alias("run"))
        .group_by("run", maintain_order=True)
        .agg(
            pl.first("row", "position", *_FIGURES),
            pl.first("rack").alias("first"),
            pl.last("rack").alias("last"),
            pl.len().alias("count"),
        )
    )
    found: dict[int, list[Run]] = {}
    for one in runs.iter_rows(named=True):
        found.setdefault(one["row"], []).append(_run(one))
    return found


def _run(one: dict[str, Any]) -> Run:
    watts, liquid = one["peak_watts"], one["liquid_watts"]
    return Run(
        position=one["position"],
        count=one["count"],
        first=one["first"],
        last=one["last"],
        kind=one["kind"],
        kw=watts / 1000,
        air_kw=(watts - liquid) / 1000,
        liquid_kw=liquid / 1000,
        kg=one["weight_kg"],
    )
