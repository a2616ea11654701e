"""Counts transceivers: one per cage that a fibre with transceivers ends in.

In: the table of cables, which has one row per link. Out: pieces by SKU. Cut from the cables because cages differ: those of
a switch take as many links as the transceiver has, those of a server as many ports as its part says share one.
"""

from __future__ import annotations

import polars as pl

from rackwright.catalog import Catalog
from rackwright.model.design import Design

RULE = (
    "A transceiver serves as many links of one kind at a switch as it has, and as many ports of a server as share a cage; "
    "a rest takes one more."
)
LATER_LANE = r"\.[2-9]$"
"""Ports that are lanes of a split port behind its first one (``mlx5_0.2``): they share its transceiver."""


def counts(design: Design, catalog: Catalog) -> dict[str, int]:
    """Transceivers by SKU: at each end of every cable whose part names one."""
    optics = {sku: part.optic for sku, part in design.cable_parts.items() if part.optic}
    if not optics:
        return {}
    found = pl.concat([_switch_ends(design, optics, catalog), _server_ends(design, optics)])
    total: dict[str, int] = {}
    for sku, count in found.group_by("sku").agg(pl.col("count").sum()).sort("sku").collect().iter_rows():
        total[optics[sku]] = total.get(optics[sku], 0) + int(count)
    return total


def _ends(design: Design, optics: dict[str, str], kind: str, end: str) -> pl.LazyFrame:
    """Links by device and part at one end of the cables, for devices of `kind`, with the device's own SKU."""
    mine = design.cables.lazy().filter(pl.col("sku").cast(pl.String).is_in(list(optics)))
    if kind == "server" and any(fabric.planes > 1 for fabric in design.site.fabrics):
        mine = mine.filter(~pl.col(f"{end}_port").str.contains(LATER_LANE))
    grouped = mine.group_by(
        pl.col(f"{end}_device").alias("device"), "fabric", "kind", pl.col("sku").cast(pl.String)
    ).agg(pl.len().alias("links"))
    devices = design.devices.lazy().filter(pl.col("kind") == kind).select("device", pl.col("sku").alias("part"))
    return grouped.join(devices, on="device")


def _switch_ends(design: Design, optics: dict[str, str], catalog: Catalog) -> pl.LazyFrame:
    links = {sku: catalog.optics[optic].links if optic in catalog.optics else 1 for sku, optic in optics.items()}
    each = pl.col("sku").replace_strict(links, default=1, return_dtype=pl.UInt32)
    ends = pl.concat([_ends(design, optics, "switch", end) for end in ("a", "b")])
    # Both ends of one device count together: links up from a leaf and links down to it fill different cages by kind.
    whole = ends.group_by("device", "fabric", "kind", "sku").agg(pl.col("links").sum())
    return whole.select("sku", ((pl.col("links") + each - 1) // each).alias("count"))


def _server_ends(design: Design, optics: dict[str, str]) -> pl.LazyFrame:
    """Servers are always the lower end of a cable."""
    roles = {fabric.name: fabric.role for fabric in design.site.fabrics}
    cages = {
        f"{server.sku} {fabric}": group.per_cage
        for server in design.servers.values()
        for fabric, role in roles.items()
        for group in server.ports
        if group.role == role
    }
    place = pl.concat_str("part", pl.lit(" "), "fabric")
    each = place.replace_strict(cages, default=1, return_dtype=pl.UInt32)
    return _ends(design, optics, "server", "a").select("sku", ((pl.col("links") + each - 1) // each).alias("count"))
