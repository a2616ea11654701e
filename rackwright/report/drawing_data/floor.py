"""Every hall from above: the places of racks, their power, and the plant that cools and feeds them.

Equal racks side by side become one run, so that a hall of thousands stays small.
"""

from __future__ import annotations

from typing import Any

import polars as pl

from rackwright.model import facility
from rackwright.model.design import Design
from rackwright.report.drawing_data import heat, plant
from rackwright.report.drawing_data.records import FloorRun, HallPicture, Row

SINGLE_RACKS = 600
"""A hall with more racks is drawn by runs: names of single racks could not be read any more."""
_FIGURES = ("kind", "peak_watts", "liquid_watts", "weight_kg")


def halls(design: Design, only: str | None = None) -> list[HallPicture]:
    """The halls of the site in declared order; with `only`, that hall alone."""
    racks = heat.racks(design)
    selected = [hall for hall in design.site.facility.halls if only in (None, hall.name)]
    return [_hall(design, hall, racks.filter(pl.col("hall") == hall.name)) for hall in selected]


def _hall(design: Design, declared: facility.Hall, racks: pl.DataFrame) -> HallPicture:
    runs = _runs(racks, single=racks.height <= SINGLE_RACKS)
    by_row = {
        row["row"]: row
        for row in racks.group_by("row")
        .agg(pl.len().alias("racks"), pl.col("peak_watts").sum(), pl.col("liquid_watts").sum())
        .iter_rows(named=True)
    }
    nothing = {"racks": 0, "peak_watts": 0, "liquid_watts": 0.0}
    rows = [_row(number, by_row.get(number, nothing), runs.get(number, [])) for number in range(1, declared.rows + 1)]
    air = design.site.facility.air
    return HallPicture(
        name=declared.name,
        places_per_row=declared.racks_per_row,
        rows=rows,
        racks=racks.height,
        kw=sum(row.kw for row in rows),
        liquid_kw=sum(row.liquid_kw for row in rows),
        floor_kg=float(declared.floor_load_kg_per_rack),
        supply_celsius=declared.supply_air_celsius,
        containment=air.containment if air else "",
        machines=plant.machines(design, declared.name),
        sources=plant.sources(design, racks["rack"]),
    )


def _row(number: int, sums: dict[str, float], runs: list[FloorRun]) -> Row:
    return Row(
        number=number,
        racks=int(sums["racks"]),
        kw=sums["peak_watts"] / 1000,
        air_kw=(sums["peak_watts"] - sums["liquid_watts"]) / 1000,
        liquid_kw=sums["liquid_watts"] / 1000,
        runs=runs,
    )


def _runs(racks: pl.DataFrame, *, single: bool) -> dict[int, list[FloorRun]]:
    """Row -> its runs: adjacent racks with the same figures, or with `single` every rack by itself."""
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
    runs_by_row: dict[int, list[FloorRun]] = {}
    for run_row in runs.iter_rows(named=True):
        runs_by_row.setdefault(run_row["row"], []).append(_run(run_row))
    return runs_by_row


def _run(row: dict[str, Any]) -> FloorRun:
    watts, liquid = row["peak_watts"], row["liquid_watts"]
    return FloorRun(
        position=row["position"],
        count=row["count"],
        first=row["first"],
        last=row["last"],
        kind=row["kind"],
        kw=watts / 1000,
        air_kw=(watts - liquid) / 1000,
        liquid_kw=liquid / 1000,
        kg=row["weight_kg"],
    )
