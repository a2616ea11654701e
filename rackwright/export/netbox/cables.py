"""Cables: data cables between interfaces, power cables from supplies to feeds."""

from __future__ import annotations

import polars as pl

from rackwright.export.netbox.netbox_data import status, words
from rackwright.export.netbox.supply import PowerFeeds
from rackwright.model.design import Design

INTERFACE, PORT, OUTLET, FEED = "dcim.interface", "dcim.powerport", "dcim.poweroutlet", "dcim.powerfeed"


def cables(design: Design) -> pl.DataFrame:
    """Every data cable, labelled with its name; the length to order in metres where it is known."""
    kinds = {sku: words()["cable"][part.medium] for sku, part in design.cable_parts.items()}
    has_length = pl.col("length_meters").is_not_null()
    return design.cables.select(
        pl.col("a_device").alias("side_a_device"),
        pl.lit(INTERFACE).alias("side_a_type"),
        pl.col("a_port").alias("side_a_name"),
        pl.col("b_device").alias("side_b_device"),
        pl.lit(INTERFACE).alias("side_b_type"),
        pl.col("b_port").alias("side_b_name"),
        pl.col("sku").replace_strict(kinds, default=None, return_dtype=pl.String).alias("type"),
        pl.lit(status("cable")).alias("status"),
        pl.col("cable").alias("label"),
        pl.col("length_meters").alias("length"),
        pl.when(has_length).then(pl.lit("m")).alias("length_unit"),
        pl.format("{} {}", "fabric", "sku").alias("description"),
    )


def power_cables(supply: PowerFeeds) -> pl.DataFrame:
    """Supplies into outlets, then PDUs, shelves and sockets into their circuits."""
    plugs = supply.plugs().select(
        pl.col("device").alias("side_a_device"),
        pl.lit(PORT).alias("side_a_type"),
        pl.col("psu").alias("side_a_name"),
        pl.col("holder").alias("side_b_device"),
        pl.lit(None, pl.String).alias("side_b_power_panel"),
        pl.lit(OUTLET).alias("side_b_type"),
        pl.col("outlet").alias("side_b_name"),
    )
    panels = supply.design.circuits.select("circuit", pl.col("parent").alias("side_b_power_panel"))
    ends = supply.ends.join(panels, on="circuit", maintain_order="left").select(
        pl.col("holder").alias("side_a_device"),
        pl.lit(PORT).alias("side_a_type"),
        pl.col("port").alias("side_a_name"),
        pl.lit(None, pl.String).alias("side_b_device"),
        "side_b_power_panel",
        pl.lit(FEED).alias("side_b_type"),
        pl.col("circuit").alias("side_b_name"),
    )
    return pl.concat([plugs, ends]).with_columns(
        pl.lit(words()["power_cable"]).alias("type"),
        pl.lit(status("cable")).alias("status"),
        pl.concat_str("side_a_device", pl.lit(":"), "side_a_name").alias("label"),
    )
