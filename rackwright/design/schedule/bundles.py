"""Bundles: cables of one fabric and kind of jacket between the same two racks, tied together.

The size of a bundle is data (``cabling_practice.yaml``); copper, fibre and twisted pair of different entries are never tied together.
"""

from __future__ import annotations

import polars as pl

from rackwright.catalog import cabling_practice


def with_bundles(cables: pl.DataFrame) -> pl.DataFrame:
    """`cables` with ``bundle``: ``compute train-r01/fabric-r01 #2``, or ``compute train-r01 #1`` inside a rack.

    Cables fill bundles in design order, so that a cable added at the end of a rack changes no other bundle.
    """
    sizes = cabling_practice.load().bundles
    jacket = {medium: number for number, size in enumerate(sizes) for medium in size.media}
    most = {number: size.most for number, size in enumerate(sizes)}
    near_first = pl.col("a_at") <= pl.col("b_at")
    low = pl.when(near_first).then("a_rack").otherwise("b_rack")
    high = pl.when(near_first).then("b_rack").otherwise("a_rack")
    keyed = cables.with_columns(
        low.alias("low"),
        high.alias("high"),
        pl.col("medium").replace_strict(jacket, default=len(sizes) - 1, return_dtype=pl.Int64).alias("jacket"),
    )
    limit = pl.col("jacket").replace_strict(most, return_dtype=pl.Int64)
    number = pl.int_range(pl.len()).over("fabric", "jacket", "low", "high") // limit + 1
    route = pl.when(pl.col("low") == pl.col("high")).then("low").otherwise(pl.format("{}/{}", "low", "high"))
    kinds = pl.col("jacket").n_unique().over("fabric", "low", "high")
    word = pl.when(kinds > 1).then(pl.format(" {}", "medium")).otherwise(pl.lit(""))
    labelled = keyed.with_columns(pl.format("{} {}{} #{}", "fabric", route, word, number).alias("bundle"))
    return labelled.drop("low", "high", "jacket")
