"""Names of tiles and columns of a fabric."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from rackwright.report.drawing_data.links import FabricLinks


def label(row: Mapping[str, Any]) -> str:
    """The name of one device, else of the rack, scalable units or pool that the devices are in."""
    if row["count"] == 1:
        return str(row["first"])
    if row["tier"] == "other":
        return str(row["fabric"])
    if row["tier"] == "host" and row["racks"] == 1:
        return str(row["rack"])
    if row["pool"] and row["low"]:
        units = f"{row['low']}" if row["low"] == row["high"] else f"{row['low']} to {row['high']}"
        return f"{row['pool']} {units}"
    return str(row["pool"] or row["role"])


def device_word(row: Mapping[str, Any]) -> str:
    """Noun for the devices of a tile: SKU of switches, ``nodes``, or their role."""
    if row["tier"] != "host":
        return str(row["sku"])
    if row["kind"] == "switch":
        return "switches"
    return "nodes" if row["role"] == "accelerator" else str(row["role"])


def with_hosts(sku: str, hosts: int) -> str:
    """``qm9700, 32 hosts``: a member of a ring, whose hosts are not drawn."""
    return f"{sku}, {hosts:,} host{'' if hosts == 1 else 's'}" if hosts else sku


def columns(fabric_links: FabricLinks) -> dict[int, str]:
    """Column -> its name: ``plane 1``, ``rail 3``, ``pod 2``; its only switch, its only rack, else ``part 1``. Numbers count from 1."""
    devices, pairs = fabric_links.devices, fabric_links.pairs
    column = devices.select(pl.col("id").alias("b"), "column")
    planes = (
        pairs.join(column, on="b", how="left")
        .filter(pl.col("column") >= 0)
        .group_by("column")
        .agg(
            *(pl.col(kind).drop_nulls().n_unique().alias(f"{kind}s") for kind in ("rail", "plane")),
            pl.col("rail", "plane").drop_nulls().first(),
        )
    )
    by_number = {row["column"]: row for row in planes.iter_rows(named=True)}
    cores = devices.filter(pl.col("tier") == "core").height
    switch_rows = devices.filter(pl.col("tier").is_in(["leaf", "spine"]) & (pl.col("column") >= 0))
    names: dict[int, list[str]] = {}
    for number, device in switch_rows.select("column", "device").iter_rows():
        names.setdefault(number, []).append(device)
    hosts = devices.filter((pl.col("tier") == "host") & (pl.col("column") >= 0)).group_by("column")
    racks = dict(hosts.agg(pl.col("rack").unique()).filter(pl.col("rack").list.len() == 1).iter_rows())
    return {
        number: _column(number, switches, by_number.get(number, {}), cores, racks.get(number, [""])[0])
        for number, switches in sorted(names.items())
    }


def _column(number: int, switches: list[str], planes: Mapping[str, Any], cores: int, rack: str) -> str:
    if len(switches) == 1:
        return switches[0]
    words = [
        f"{kind} {planes[kind] + 1}"
        for kind in ("plane", "rail")
        if planes.get(f"{kind}s") == 1 and planes.get(kind) is not None
    ]
    return " ".join(words) or (f"pod {number + 1}" if cores else rack or f"part {number + 1}")


def column_text(names: list[str]) -> str:
    """One column by its name; several equal ones by their number and the first of them."""
    return names[0] if len(names) == 1 else f"{len(names):,} alike: {names[0]}"
