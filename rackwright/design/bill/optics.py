"""Counts transceivers: one per cage where a fibre with transceivers ends."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from rackwright.catalog import Catalog
from rackwright.design import ports
from rackwright.model import lanes
from rackwright.model.design import Design
from rackwright.model.sku import Server, Switch

RULE = (
    "One transceiver stands in every cage that a fibre ends in; ports of a twin cage and lanes of a port share theirs."
)


def counts(design: Design, catalog: Catalog) -> dict[str, int]:  # noqa: ARG001 - every counter has the same shape
    """Transceivers by SKU: at each end of every cable whose part names one."""
    optics = {sku: part.optic for sku, part in design.cable_parts.items() if part.optic}
    if not optics:
        return {}
    ends = pl.concat([_ends(design, optics, end) for end in ("a", "b")]).unique()
    total: dict[str, int] = {}
    for sku, count in ends.group_by("sku").len().sort("sku").collect().iter_rows():
        total[optics[sku]] = total.get(optics[sku], 0) + int(count)
    return total


def _ends(design: Design, optics: dict[str, str], end: str) -> pl.LazyFrame:
    """Device, cage and cable part at one end of every fibre; a port whose cage is not known is a cage of its own."""
    mine = design.cables.lazy().filter(pl.col("sku").cast(pl.String).is_in(list(optics)))
    rows = mine.select(
        pl.col(f"{end}_device").alias("device"), pl.col(f"{end}_port").alias("port"), pl.col("sku").cast(pl.String)
    )
    part = pl.when(pl.col("kind") == "server").then(pl.concat_str("sku", "pool", separator=" in ")).otherwise("sku")
    devices = design.devices.lazy().select("device", part.alias("part"))
    cages = pl.LazyFrame(
        [*_all_cages(design)], schema={"part": pl.String, "port": pl.String, "cage": pl.String}, orient="row"
    )
    placed = rows.join(devices, on="device", how="left").join(cages, on=["part", "port"], how="left")
    return placed.select("device", pl.coalesce("cage", "port").alias("cage"), "sku")


def _all_cages(design: Design) -> Iterator[tuple[str, str, str]]:
    """Part, port name and cage of every port of all parts in use: servers by SKU and pool, switches by SKU with ports whole and split."""
    servers = design.devices.filter(pl.col("kind") == "server").select("sku", "pool").unique()
    for sku, pool in servers.iter_rows():
        bought = design.servers[sku]
        split = lanes.split(bought, lanes.by_role(design.site, pool, bought))
        yield from ((f"{sku} in {pool}", name, cage) for name, cage in _server_cages(split))
    for switch in design.switches.values():
        yield from ((switch.sku, name, cage) for name, cage in _switch_cages(switch))


def _server_cages(server: Server) -> Iterator[tuple[str, str]]:
    for group in server.ports:
        yield from ((name, f"{group.role} cage {at // group.per_cage}") for at, name in enumerate(group.names))


def _switch_cages(switch: Switch) -> Iterator[tuple[str, str]]:
    for split in dict.fromkeys([1, *switch.ports.breakouts]):
        names = ports.of_switch(switch, [(switch.ports.count, split)]).ports
        yield from ((port.name, f"cage {port.cage}") for port in names if port.cage >= 0)
