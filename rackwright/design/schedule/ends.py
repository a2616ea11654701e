"""Where both ends of a cable are: rack, unit, and how far apart the racks stand."""

from __future__ import annotations

import polars as pl

from rackwright.model.design import Design

STAGES = ("between halls", "between rows", "along the row", "in the rack")
"""From the longest route to the shortest: cables pulled first lie at the bottom of the tray."""


def with_ends(cables: pl.DataFrame, design: Design) -> pl.DataFrame:
    """`cables` with ``a_rack``, ``a_unit``, ``b_rack``, ``b_unit``, ``stage``, ``crew`` and rack numbers ``a_at``, ``b_at``."""
    racks = design.racks.with_row_index("at").select("rack", "hall", "row", "at")
    places = design.devices.select("device", "rack", "unit").join(racks, on="rack", how="left")
    for end in ("a", "b"):
        mine = places.rename({name: f"{end}_{name}" for name in places.columns})
        cables = cables.join(mine, on=f"{end}_device", how="left", maintain_order="left")
    return cables.with_columns(stage().alias("stage"), pl.format("{} row {}", "a_hall", "a_row").alias("crew"))


def stage() -> pl.Expr:
    """One of `STAGES`, by ``a_rack``, ``a_hall``, ``a_row`` and those of end ``b``."""
    one_row = (pl.col("a_hall") == pl.col("b_hall")) & (pl.col("a_row") == pl.col("b_row"))
    return (
        pl.when(pl.col("a_rack") == pl.col("b_rack"))
        .then(pl.lit(STAGES[3]))
        .when(one_row)
        .then(pl.lit(STAGES[2]))
        .when(pl.col("a_hall") == pl.col("b_hall"))
        .then(pl.lit(STAGES[1]))
        .otherwise(pl.lit(STAGES[0]))
        .cast(pl.Enum(STAGES))
    )
