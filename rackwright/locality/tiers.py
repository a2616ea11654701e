"""The tier of every device of a design, derived from its role."""

from __future__ import annotations

import polars as pl

from rackwright.model.design import Design

HOST = "host"
"""Tier of everything except switches."""


def devices(design: Design) -> pl.DataFrame:
    """Device, its tier (``host``, ``leaf``, ``spine``, ``core``, ``management``, ``nvswitch``), fabric and index."""
    tier = pl.when(pl.col("kind") == "switch").then("role").otherwise(pl.lit(HOST)).alias("tier")
    return design.devices.select("device", tier, "fabric", "index", "sku", "role", "rack", "pool")
