"""Racks with equal content in the same units, so that every rule about racks judges each kind of rack once.

Two racks are equal when model, hall, weight, PDUs and the SKU, unit and height of every device are the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl

from rackwright.model.design import Design
from rackwright.model.plant import Pdu, PowerShelf

KEYS = ["sku", "hall", "rack_units", "weight_kg", "mounted_kg", "shelf_units", "content"]


@dataclass(frozen=True)
class EqualRacks:
    """Equal racks: the first of them, their number, and their content from the bottom up."""

    rack: str
    count: int
    sku: str
    hall: str
    rack_units: int
    weight_kg: float
    """Of servers and switches."""
    mounted_kg: float
    """Of rack PDUs and power shelves."""
    shelf_units: int
    """Rack units that power shelves take."""
    devices: tuple[dict[str, Any], ...]

    @property
    def named(self) -> str:
        """``Rack train-r01``, ``Rack train-r01 (and 7 equal racks)``."""
        others_alike = self.count - 1
        return f"Rack {self.rack}" + (
            f" (and {others_alike} equal rack{'s' if others_alike > 1 else ''})" if others_alike else ""
        )


def group_equal_racks(design: Design) -> list[EqualRacks]:
    """Every kind of rack."""
    words = pl.concat_str([pl.col("sku"), pl.col("fabric").fill_null(""), "unit", "rack_units"], separator=" ")
    inside = design.devices.group_by("rack", maintain_order=True).agg(words.str.join(",").alias("content"))
    racks = design.racks.join(inside, on="rack", how="left", maintain_order="left")
    racks = racks.join(_mounted(design), on="rack", how="left", maintain_order="left").with_columns(
        pl.col("content").fill_null(""), pl.col("mounted_kg").fill_null(0.0), pl.col("shelf_units").fill_null(0)
    )
    kinds = racks.group_by(KEYS, maintain_order=True).agg(pl.col("rack").first(), pl.len().alias("count"))
    first = design.devices.filter(pl.col("rack").is_in(kinds["rack"].to_list()))
    devices: dict[str, list[dict[str, Any]]] = {rack: [] for rack in kinds["rack"]}
    for row in first.iter_rows(named=True):
        devices[row["rack"]].append(row)
    return [
        EqualRacks(**{key: row[key] for key in ("rack", "count", *KEYS[:-1])}, devices=tuple(devices[row["rack"]]))
        for row in kinds.iter_rows(named=True)
    ]


def _mounted(design: Design) -> pl.DataFrame:
    """Kilograms and rack units of the PDUs and shelves of every rack."""
    parts = [part for part in design.plant_parts.values() if isinstance(part, Pdu | PowerShelf)]
    units = [part.rack_units if isinstance(part, PowerShelf) else 0 for part in parts]
    part_table = pl.DataFrame(
        {"sku": [part.sku for part in parts], "mounted_kg": [part.weight_kg for part in parts], "shelf_units": units},
        schema={"sku": pl.String, "mounted_kg": pl.Float64, "shelf_units": pl.Int64},
    )
    mounted = design.power.filter(pl.col("rack").is_not_null()).select("rack", "sku").join(part_table, on="sku")
    return mounted.group_by("rack", maintain_order=True).agg(
        pl.col("mounted_kg").sum().round(2), pl.col("shelf_units").sum()
    )
