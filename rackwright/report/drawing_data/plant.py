"""The plant around the racks: feeds with their UPS, coolant distribution units and air handlers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from rackwright.model.design import Design
from rackwright.model.plant import Ups
from rackwright.report.drawing_data.records import CoolingMachine, PowerSource

MOST_LOSSES = 6
"""Sentences on losses under a drawing; the table ``losses`` holds them all."""


def feeds(design: Design) -> list[str]:
    """Names of the feeds, in declared order."""
    return list(design.site.facility.power.feeds)


def sources(design: Design, racks: pl.Series | None = None) -> list[PowerSource]:
    """Every feed; `load_kw` counts all racks, or `racks` alone."""
    circuits = design.circuits if racks is None else design.circuits.filter(pl.col("rack").is_in(racks.implode()))
    load = dict(circuits.group_by("feed").agg(pl.col("load_watts").sum()).iter_rows())
    power_of_feed = {row["feed"]: row for row in design.power.filter(pl.col("kind") == "feed").iter_rows(named=True)}
    declared = design.site.facility.power.ups
    part = design.plant_parts.get(declared.sku) if declared else None
    modules = _modules(design)
    return [
        PowerSource(
            feed=feed,
            capacity_kw=float(design.site.facility.power.feed_kw),
            load_kw=float(load.get(feed, 0.0)) / 1000,
            worst_kw=_kilowatts(power_of_feed.get(feed, {}).get("worst_watts")),
            worst_loss=power_of_feed.get(feed, {}).get("worst_loss") or "",
            ups=declared.per_feed if declared else 0,
            ups_sku=declared.sku if declared else "",
            ups_kw=part.kw if isinstance(part, Ups) else 0.0,
            ups_load_kw=modules.get(feed, (0.0, 0.0))[0],
            ups_worst_kw=modules.get(feed, (0.0, 0.0))[1],
        )
        for feed in feeds(design)
    ]


def _modules(design: Design) -> dict[str, tuple[float, float]]:
    """Load of the fullest UPS module of each feed, with all alive and after the worst loss, in kilowatts."""
    rows = design.power.filter(pl.col("kind") == "ups").group_by("feed")
    most = rows.agg(*(pl.col(f"{quantity}_watts").max().fill_null(0.0) / 1000 for quantity in ("load", "worst")))
    return {feed: (load, worst) for feed, load, worst in most.iter_rows()}


def machines(design: Design, hall: str) -> list[CoolingMachine]:
    """Cooling machines of `hall`; equal ones of a loop are one record."""
    rows = design.cooling.filter(pl.col("hall") == hall)
    figures = ["kind", "sku", "loop", "capacity_watts", "load_watts", "worst_watts", "flow", "flow_capacity"]
    grouped = rows.group_by(*figures, "worst_flow", maintain_order=True).agg(pl.col("unit"))
    return [_machine(row) for row in grouped.iter_rows(named=True)]


def losses(design: Design, domain: str) -> list[str]:
    """Sentences about the simulated losses of one domain, the worst first."""
    rows = design.losses.filter(pl.col("domain") == domain).sort(
        pl.col("survives").fill_null(value=False),
        ~pl.col("must_survive").fill_null(value=False),
        "remaining_share",
        "kind",
        "element",
    )
    return list(rows["says"].drop_nulls())[:MOST_LOSSES]


def _machine(row: Mapping[str, Any]) -> CoolingMachine:
    watts = {key: (row[f"{key}_watts"] or 0.0) / 1000 for key in ("capacity", "load", "worst")}
    return CoolingMachine(
        names=list(row["unit"]),
        kind=row["kind"],
        sku=row["sku"],
        capacity_kw=watts["capacity"],
        load_kw=watts["load"],
        worst_kw=watts["worst"],
        flow=row["flow"] or 0.0,
        flow_capacity=row["flow_capacity"] or 0.0,
        worst_flow=row["worst_flow"] or 0.0,
    )


def _kilowatts(watts: float | None) -> float | None:
    return None if watts is None else watts / 1000
