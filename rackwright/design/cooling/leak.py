"""How many leak detectors the declared leak detection needs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import polars as pl

from rackwright.catalog import Catalog
from rackwright.model.design import Design
from rackwright.model.plant import LeakDetector

MILLIMETERS = 1000


def liquid_racks(design: Design) -> pl.DataFrame:
    """Racks with liquid cooling."""
    return design.racks.filter(pl.col("liquid_watts") > 0)


def detectors(design: Design, catalog: Catalog) -> list[dict[str, Any]]:
    """``sku, watches, count`` for racks and rows, as `facility.liquid.leak_detection` requires. Empty without such a part in the catalog.

    In a rack a detector runs down the manifold and along the drip tray, in a row from the first liquid-cooled rack to the last.
    """
    liquid, parts = design.site.facility.liquid, catalog.leak_detectors
    racks = liquid_racks(design)
    if liquid is None or liquid.leak_detection == "none" or not parts or racks.is_empty():
        return []
    width = {sku: part.width_mm / MILLIMETERS for sku, part in design.rack_parts.items()}
    unit = catalog.routing.rack_unit_millimeters / MILLIMETERS
    choices = []
    if liquid.leak_detection in ("rack", "rack-and-row"):
        kinds = racks.group_by(["sku", "rack_units"], maintain_order=True).len()
        choices += [_choose("rack", width[sku] + units * unit, count, parts) for sku, units, count in kinds.iter_rows()]
    if liquid.leak_detection in ("row", "rack-and-row"):
        widest = max(width.values())
        rows = racks.group_by(["hall", "row"], maintain_order=True).agg(
            (pl.col("position").max() - pl.col("position").min() + 1).alias("places")
        )
        lengths = rows.group_by("places", maintain_order=True).len().sort("places")
        choices += [_choose("row", places * widest, count, parts) for places, count in lengths.iter_rows()]
    return choices


def _choose(watches: str, meters: float, count: int, parts: Mapping[str, LeakDetector]) -> dict[str, Any]:
    """The fewest pieces that cover `meters` each, times `count`; of equally few, the shortest detector."""
    pieces, _, sku = min(
        (math.ceil(meters / part.covers_meters), part.covers_meters, part.sku) for part in parts.values()
    )
    return {"sku": sku, "watches": watches, "meters_each": round(meters, 2), "count": pieces * count}
