"""The cages that cable ends plug into: form, power, and how their ports are split."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from rackwright.catalog import Catalog
from rackwright.design import ports
from rackwright.model import lanes
from rackwright.model.design import Design
from rackwright.model.schemas import BACKPLANE
from rackwright.model.sku import Cable, Server, Switch

SCHEMA = {
    "part": pl.String,
    "port": pl.String,
    "cage": pl.Int32,
    "form": pl.String,
    "watts": pl.Float64,
    "split": pl.Int32,
    "role": pl.String,
    "rate": pl.Int32,
}
KEY = ["fabric", "kind", "plug", "optic", "gbps", "end", "part", "role", "form", "watts", "split"]
Cage = tuple[str, int, str, float | None, int, str]
"""Port name, number of its cage on the device, form and power of the cage, links out of the port, role of the port."""


def add(design: Design, catalog: Catalog) -> Design:
    """`design` with its table ``plugs``; `catalog` is unused: every step has the same signature.

    One row per fabric, kind of link, plug, end and sort of cage: ``cages``, the most ``links`` in one of them, the first ``device``, the
    ``sku`` of a cable there, and the ``optic`` in each cage, null where the cable is one piece.
    """
    del catalog
    sorts = pl.LazyFrame([*_all_cages(design)], schema=SCHEMA, orient="row")
    sorts = sorts.unique(["part", "port", "rate"], keep="first")
    ends = pl.concat([_cages(design, sorts, end) for end in ("a", "b")])
    first = pl.col("sku").sort_by("row", "sku").first()  # whatever order the threads of Polars bring the cages in
    totals = ends.group_by(KEY).agg(pl.len().alias("cages"), pl.col("links").max(), pl.col("row").min(), first)
    table = totals.sort(KEY).collect()
    names = design.devices["device"].gather(table["row"]).alias("device")
    return replace(design, plugs=table.drop("row").with_columns(names))


def _optic(part: Cable, end: str) -> str | None:
    """The transceiver at `end`; None where the cable is one piece."""
    return (part.node_optic or part.optic) if end == "a" else part.optic


def _cages(design: Design, sorts: pl.LazyFrame, end: str) -> pl.LazyFrame:
    """One row per cage and cable part at `end` (``a`` or ``b``), with its links."""
    part = pl.when(pl.col("kind") == "server").then(pl.concat_str("sku", "pool", separator=" in ")).otherwise("sku")
    devices = design.devices.lazy().with_row_index("row").select(pl.col("device").alias("name"), "row", part=part)
    rows = design.cables.lazy().filter(pl.col("kind") != BACKPLANE).select(
        pl.col(f"{end}_device").alias("name"), pl.col(f"{end}_port").alias("port"), "sku", "fabric", "kind", "gbps"
    )  # fmt: skip
    optics = {sku: _optic(cable, end) for sku, cable in design.cable_parts.items()}
    optic = pl.col("sku").replace_strict(optics, return_dtype=pl.String)
    rows = rows.with_columns(optic.alias("optic"), pl.coalesce(optic, "sku").alias("plug"))
    placed = _with_rate(design, rows.join(devices, on="name", how="left"))
    placed = placed.join(sorts, on=["part", "port", "rate"], how="left")
    return placed.group_by(*(name for name in KEY if name != "end"), "row", "cage").agg(
        pl.len().alias("links"), pl.lit(end).alias("end"), pl.col("sku").min()
    )


def _with_rate(design: Design, rows: pl.LazyFrame) -> pl.LazyFrame:
    """`rows` with the rate of the port where its name does not show how it is split; 0 elsewhere."""
    counting = [sku for sku, part in design.switches.items() if part.counts_cage_lanes]
    if not counting:
        return rows.with_columns(pl.lit(0, dtype=pl.Int32).alias("rate"))
    rates = design.ports.lazy().select(pl.col("device").alias("name"), "port", pl.col("gbps").alias("rate"))
    rate = pl.when(pl.col("part").is_in(counting)).then("rate").otherwise(0).cast(pl.Int32)
    return rows.join(rates, on=["name", "port"], how="left").with_columns(rate.alias("rate"))


def _all_cages(design: Design) -> Iterator[tuple[str, str, int, str, float | None, int, str, int]]:
    """Every port of all parts in use, after its part: servers by SKU and pool, switches by SKU with ports whole and split."""
    servers = design.devices.filter(pl.col("kind") == "server").select("sku", "pool").unique()
    for sku, pool in servers.iter_rows():
        bought = design.servers[sku]
        split = lanes.split(bought, lanes.by_role(design.site, pool, bought))
        yield from ((f"{sku} in {pool}", *row, 0) for row in _server_cages(split, design))
    for switch in design.switches.values():
        yield from ((switch.sku, *row) for row in _switch_cages(switch))


def _server_cages(server: Server, design: Design) -> Iterator[Cage]:
    adapters = (design.nic_parts.get(group.adapter) for group in server.ports for _ in group.names)
    split = (group.lanes for group in server.ports for _ in group.names)
    for port, adapter, into in zip(ports.of_server(server).ports, adapters, split, strict=True):
        yield port.name, port.cage, port.form, adapter.cage_watts if adapter else None, into, port.role


def _switch_cages(switch: Switch) -> Iterator[tuple[str, int, str, float | None, int, str, int]]:
    up_ways = switch.uplinks.breakouts if switch.uplinks else []
    for split in dict.fromkeys([1, *switch.ports.breakouts, *up_ways]):
        into = {"down": split if split in switch.ports.breakouts else 1, "up": split if split in up_ways else 1}
        for port in ports.of_switch(switch, [(switch.ports.count, into["down"])], into["up"]).ports:
            group = switch.uplinks if port.role == "up" else switch.ports
            watts = group.cage_watts if group and port.role != "management" else None
            rate = port.gbps if switch.counts_cage_lanes else 0
            yield port.name, port.cage, port.form, watts, into.get(port.role, 1), port.role, rate
