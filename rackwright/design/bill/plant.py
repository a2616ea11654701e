"""Counts what the building gets: power from UPS to rack PDU, cooling machines, coolant, leak detectors.

A rack device
that is neither server nor switch (a shelf) is counted from the power table when it stands there, else from the racks.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import polars as pl

from rackwright.catalog import Catalog, hall_practice
from rackwright.design.bill.line import BillLine, of_name, of_part
from rackwright.model.design import Design
from rackwright.model.sku import Sku

RACKED = ("server", "switch")
"""Kinds of devices that are counted as equipment."""
MILLIMETERS = 1000
LITERS_PER_M3 = 1000
COOLANT_RULE = "Coolant fills the headers of the loops; what racks and CDUs hold is in no part and comes on top."
"""What the litres of coolant are."""


def lines(design: Design, catalog: Catalog) -> Iterator[BillLine]:
    """Power, then cooling, then coolant (in litres) and leak detectors."""
    plant_devices = design.devices.lazy().filter(~pl.col("kind").is_in(RACKED)).select("sku", "kind").collect()
    counts = _counts(plant_devices) | _counts(design.power) | _counts(design.cooling)
    for sku, (kind, count) in counts.items():
        yield _line(sku, kind, count, design, catalog)
    yield from _coolant(design, catalog)


def _counts(table: pl.DataFrame) -> dict[str, tuple[str, int]]:
    """Kind and number of the rows of every SKU, in the order of the table; rows without a SKU are omitted."""
    mine = table.lazy().filter(pl.col("sku").is_not_null() & (pl.col("sku") != ""))
    sku_counts = (
        mine.group_by("sku", maintain_order=True).agg(pl.col("kind").first(), pl.len().alias("count")).collect()
    )
    return {str(sku): (str(kind), int(count)) for sku, kind, count in sku_counts.iter_rows()}


def _line(sku: str, kind: str, count: int, design: Design, catalog: Catalog) -> BillLine:
    part = _part(sku, design, catalog)
    return of_part(part, count) if part else of_name(sku, kind, count)


def _part(sku: str, design: Design, catalog: Catalog) -> Sku | None:
    part = design.plant_parts.get(sku)
    kind = catalog.kind_of(sku)
    return part or (catalog.of_kind(kind)[sku] if kind else None)


def _coolant(design: Design, catalog: Catalog) -> Iterator[BillLine]:
    """The coolant in the headers of the loops, and the leak detectors."""
    study = design.studies.get("cooling", {})
    liquid = design.site.facility.liquid
    headers = [loop["header"] for loop in study.get("loops", []) if loop.get("header")]
    liters = sum(header_liters(pipe["pipe"], pipe["count"], pipe["run_meters"]) for pipe in headers)
    if liquid and liters and (coolant := catalog.coolants.get(liquid.coolant)):
        yield of_part(coolant, math.ceil(liters), unit="liter")
    for pipe in study.get("leak_detectors", []):
        yield _line(pipe["sku"], "leak_detector", int(pipe["count"]), design, catalog)


def header_liters(pipe: str, count: int, meters: float) -> float:
    """Litres in `count` pipes of the size `pipe`, each `meters` long: the volume of the bore."""
    bores = {size.name: size.bore_millimeters for size in hall_practice.load().pipes}
    return count * math.pi / 4 * (bores[pipe] / MILLIMETERS) ** 2 * meters * LITERS_PER_M3
