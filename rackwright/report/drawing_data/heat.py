"""Power, heat and weight of every rack: the table from which elevations, floor plan and cooling are drawn."""

from __future__ import annotations

import polars as pl

from rackwright.model.design import Design


def racks(design: Design) -> pl.DataFrame:
    """One row per rack, in design order. A rack whose heat is not split gives all of it to the air."""
    limit = {sku: part.max_weight_kg for sku, part in design.rack_parts.items()}
    return design.racks.with_columns(
        pl.col("liquid_watts", "coolant_liters_per_minute", "airflow_cfm").fill_null(0),
        pl.col("air_watts").fill_null(pl.col("peak_watts") - pl.col("liquid_watts").fill_null(0)),
        pl.col("sku").replace_strict(limit, default=None, return_dtype=pl.Float64).alias("limit_kg"),
    )
