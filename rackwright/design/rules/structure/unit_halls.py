"""The racks of a scalable unit, and those of its switches, stand in one hall."""

from __future__ import annotations

import polars as pl

from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.model.design import Design
from rackwright.model.verdict import Outcome

NAMED = 3
"""Units that a sentence names."""


def judge(design: Design) -> Judged:
    """Per pool of a site with several halls."""
    if len(design.site.facility.halls) == 1:
        return
    halls = design.racks.select("rack", "hall")
    units = design.devices.filter(pl.col("scalable_unit") > 0).join(halls, on="rack")
    by_unit = units.group_by("pool", "scalable_unit", maintain_order=True).agg(
        pl.col("hall").unique(maintain_order=True)
    )
    for pool in dict.fromkeys(by_unit["pool"]):
        rows = by_unit.filter(pl.col("pool") == pool)
        split = rows.filter(pl.col("hall").list.len() > 1)
        named = [f"unit {unit} in {' and '.join(where)}" for _, unit, where in split.head(NAMED).iter_rows()]
        observed = "; ".join(named) or f"{len(rows)} scalable unit{'' if len(rows) == 1 else 's'}, each in one hall"
        says = f"Pool {pool}: {observed}" + (f" ({len(split)} of {len(rows)} units)" if len(split) > len(named) else "")
        step = "enlarge a hall, lower scalable_unit so that a unit fits, or give racks their places (facility.racks)"
        yield (
            pool,
            finding(
                not named,
                observed,
                "one hall for each scalable unit",
                "site facility.halls",
                says,
                step,
                Outcome.DEGRADED,
            ),
        )


RULE = DesignRule("unit_halls", "Scalable units stand in one hall", judge)
