"""Cables from rack to rack, those of one part between the same two racks together: a large site has few of such groups."""

from __future__ import annotations

import polars as pl

from rackwright.design.schedule.ends import stage
from rackwright.model.design import Design
from rackwright.model.schemas import BACKPLANE

PLACE = ("rack", "hall", "row", "position")


def between_racks(design: Design) -> pl.DataFrame:
    """One row per pair of racks and part, in the order of the racks.

    ``sku``, ``medium``, ``cables`` (a twin cable carries several links), ``longest_meters`` (routed, null where none is known) of
    ``cable``, ``stage``, and the ``rack``, ``hall``, ``row``, ``position`` of both ends after ``a_`` and ``b_``.
    """
    places = design.racks.with_row_index("at").select("at", *PLACE)
    racks = design.devices.select("device", "rack").join(places.select("rack", "at"), on="rack").lazy()
    links = design.cables.lazy().filter(pl.col("kind") != BACKPLANE)
    for end in ("a", "b"):
        at = racks.select(pl.col("device").alias(f"{end}_device"), pl.col("at").alias(end))
        links = links.join(at, on=f"{end}_device", how="inner")
    groups = (
        links.filter(pl.col("a") != pl.col("b"))
        .group_by("a", "b", "sku")
        .agg(
            pl.len().cast(pl.Int64).alias("links"),
            pl.col("routed_meters").max().alias("longest_meters"),
            pl.col("cable").filter(pl.col("routed_meters") == pl.col("routed_meters").max()).min(),
        )
        .sort("a", "b", "sku")
        .collect()
    )
    for end in ("a", "b"):
        named = places.rename({name: f"{end}_{name}" for name in PLACE})
        groups = groups.join(named, left_on=end, right_on="at", how="left", maintain_order="left")
    return groups.with_columns(_medium(design), _cables(design), stage().alias("stage")).drop("links")


def _medium(design: Design) -> pl.Expr:
    media = {sku: part.medium for sku, part in design.cable_parts.items()}
    return pl.col("sku").replace_strict(media, default=None, return_dtype=pl.String).alias("medium")


def _cables(design: Design) -> pl.Expr:
    per = {sku: part.links if part.splits == 1 else 1 for sku, part in design.cable_parts.items()}
    links = pl.col("sku").replace_strict(per, default=1, return_dtype=pl.Int64)
    return (pl.col("links") / links).ceil().cast(pl.Int64).alias("cables")
