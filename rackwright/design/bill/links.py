"""Counts what links are made of: cables by part and length, then transceivers.

`RULES` say how links become pieces: a twin cable joins
the same two devices, a splitter ends in one cage of the upper device.
"""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from rackwright.catalog import Catalog
from rackwright.design.bill import optics
from rackwright.design.bill.line import BillLine, of_name, of_part
from rackwright.model.design import Design
from rackwright.model.sku import Cable

RULES = (
    "A cable part with several links carries that many links between the same two devices; a rest takes one more.",
    "A splitter carries that many links of one length at one upper device; a rest takes one more.",
    optics.RULE,
)
"""How links become pieces, for people who check the bill."""


def lines(design: Design, catalog: Catalog) -> Iterator[BillLine]:
    """Cables by SKU and length, then transceivers by SKU."""
    for sku, length, count in cable_counts(design).iter_rows():
        part = design.cable_parts[sku]
        yield of_part(part, count, length=length, inside=_rack_of(part, design))
    for sku, count in optics.counts(design, catalog).items():
        yield of_part(catalog.optics[sku], count) if sku in catalog.optics else of_name(sku, "optic", count)


def _rack_of(part: Cable, design: Design) -> str | None:
    """Rack SKUs that include a scale-up link (its cartridges come with a busbar rack), joined by commas; None for other cables."""
    if part.transport != ["nvlink"]:
        return None
    return ", ".join(sku for sku, rack in design.rack_parts.items() if rack.busbar_amps) or "rack"


def cable_counts(design: Design) -> pl.DataFrame:
    """Pieces by ``sku`` and ``length_meters``, ordered by both; unknown lengths are null."""
    several = {sku: part.links for sku, part in design.cable_parts.items() if part.links > 1}
    split = [sku for sku in several if design.cable_parts[sku].splits > 1]
    key = [pl.col("sku").cast(pl.String), "length_meters"]
    links = pl.col("sku").replace_strict(several, default=1, return_dtype=pl.UInt32)
    table, sku = design.cables.lazy(), pl.col("sku")
    groups = [
        (table.filter(~sku.is_in(list(several))), []),
        (table.filter(sku.is_in([name for name in several if name not in split])), ["a_device", "b_device"]),
        (table.filter(sku.is_in(split)), ["b_device"]),
    ]
    pieces = [
        mine.group_by([*key, *ends]).agg(pl.len().alias("count")).with_columns((pl.col("count") + links - 1) // links)
        for mine, ends in (groups if several else groups[:1])
    ]
    total = pl.concat([name.select("sku", "length_meters", "count") for name in pieces])
    lengths = total.group_by("sku", "length_meters").agg(pl.col("count").sum().cast(pl.Int64))
    return lengths.sort("sku", "length_meters", nulls_last=True).collect()
