"""From links to physical cables: a twin cable carries several links between the same two devices.

A part with n links takes n links of one length between two devices, in the order of their ports; a remainder takes one more cable, as
in the bill. Links inside an NVLink domain rack are omitted: they are the backplane that is delivered with the rack.
"""

from __future__ import annotations

import polars as pl

from rackwright.model.design import Design
from rackwright.model.schemas import BACKPLANE

SHARED = ["fabric", "kind", "sku", "length_meters", "a_device", "b_device"]
"""Columns that are equal for all links of one cable."""


def pieces(design: Design) -> pl.DataFrame:
    """The cables of `design` in design order, with ``links`` and ``medium``; ports of several links are joined by ``+``."""
    several = {sku: part.links for sku, part in design.cable_parts.items() if part.links > 1 and part.splits == 1}
    media = {sku: part.medium for sku, part in design.cable_parts.items()}
    table = (
        design.cables.filter(pl.col("kind") != BACKPLANE)
        .with_row_index("at")
        .with_columns(pl.col("sku").replace_strict(media, default=None, return_dtype=pl.String).alias("medium"))
    )
    twin = pl.col("sku").is_in(list(several))
    single = table.filter(~twin).with_columns(pl.lit(1, dtype=pl.UInt32).alias("links"))
    if not several:
        return single
    return pl.concat([single, _joined_links(table.filter(twin), several)], how="diagonal").sort("at")


def _joined_links(links: pl.DataFrame, several: dict[str, int]) -> pl.DataFrame:
    each = pl.col("sku").replace_strict(several, default=1, return_dtype=pl.Int64)
    numbered = links.with_columns((pl.int_range(pl.len()).over(SHARED) // each).alias("piece"))
    return (
        numbered.group_by([*SHARED, "piece"], maintain_order=True)
        .agg(
            pl.col("at", "cable", "medium", "gbps", "rail", "plane").first(),
            pl.col("routed_meters").max(),
            pl.col("a_port", "b_port").str.join("+"),
            pl.len().cast(pl.UInt32).alias("links"),
        )
        .drop("piece")
    )
