"""Racks with more air heat than uncontained aisles support stand in contained aisles.

The limit is published practice (``hall_practice.yaml``); no limit is published for contained aisles, so those are not judged here.
"""

from __future__ import annotations

import polars as pl

from rackwright.catalog import hall_practice
from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.model.design import Design
from rackwright.model.verdict import Finding, Outcome


def judge(design: Design) -> Judged:
    """Per hall of a site that declares an air plant without containment."""
    air = design.site.facility.air
    if air is None or air.containment != "none":
        return
    limit = hall_practice.load().uncontained_rack_kw
    halls = design.racks.group_by("hall", maintain_order=True).agg(
        pl.col("air_watts").max().alias("most"),
        (pl.col("air_watts") > limit * 1000).sum().alias("hot"),
        pl.col("rack").sort_by("air_watts", descending=True).first().alias("rack"),
    )
    for hall, most, hot, rack in halls.iter_rows():
        yield hall, _finding(hall, most / 1000, hot, rack, limit)


def _finding(hall: str, most: float, hot: int, rack: str, limit: float) -> Finding:
    observed = f"{hot} racks above {limit:g} kW of air heat, {rack} with {most:,.1f} kW the most"
    if not hot:
        observed = f"at most {most:,.1f} kW of air heat per rack"
    expected, source = f"at most {limit:g} kW per rack without containment", "hall_practice uncontained_rack_kw"
    says, step = (
        f"{hall} is not contained and has {observed}",
        "set facility.air.containment to hot-aisle or cold-aisle",
    )
    return finding(not hot, observed, expected, source, says, step, Outcome.DEGRADED)


RULE = DesignRule("containment", "Hot racks stand in contained aisles", judge)
