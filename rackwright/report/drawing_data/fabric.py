"""A fabric at a readable level of detail: switch by switch when small; by scalable unit, pod, plane or rail when large.

A large one is one overview of tiles with counts, and one part of it in detail; equal columns are drawn once with their number.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from rackwright.model.design import Design
from rackwright.report.drawing_data import graph
from rackwright.report.drawing_data.fabric_records import FabricPicture, Graph
from rackwright.report.drawing_data.links import FabricLinks, links

MOST_SWITCHES = 32
"""Up to here every switch is drawn."""
MOST_PAIRS = 320
"""Up to here every pair of switches has a line of its own."""


def fabrics(design: Design, only: str | None = None) -> list[FabricPicture]:
    """The fabrics of the site in declared order; with `only`, that fabric alone."""
    return [
        FabricPicture(name=declared.name, graphs=_graphs(design, declared.name, declared.topology))
        for declared in design.site.fabrics
        if only in (None, declared.name)
    ]


def _graphs(design: Design, name: str, topology: str) -> list[Graph]:
    fabric_links = links(design, name)
    switches = fabric_links.devices.filter(pl.col("tier").is_in(["leaf", "spine", "core"]))
    if switches.is_empty():
        return []
    between = fabric_links.pairs.filter(pl.col("kind").is_in(["leaf_spine", "spine_core", "isl", "global"])).height
    facts = _facts(design, name, topology, fabric_links, switches)
    if switches.height <= MOST_SWITCHES and between <= MOST_PAIRS:
        return [graph.build(name, "Every switch", fabric_links, by_switch=True, facts=facts)]
    overview = graph.build(name, "The whole fabric", fabric_links, by_switch=False, facts=facts)
    part, title = _part(fabric_links, switches)
    small = graph.build(name, title, part, by_switch=True, facts=[], spines_apart=False)
    readable = sum(len(column.tiles) for column in small.columns) + len(small.ring) <= 3 * MOST_SWITCHES
    return [overview, small] if readable else [overview]


def _facts(design: Design, name: str, topology: str, fabric_links: FabricLinks, switches: pl.DataFrame) -> list[str]:
    skus = switches.group_by("role", "sku", maintain_order=True).agg(pl.len(), pl.col("tier").first())
    skus = skus.sort(pl.col("tier").replace_strict({"leaf": 0, "spine": 1, "core": 2}), maintain_order=True).drop(
        "tier"
    )
    declared = next(candidate for candidate in design.site.fabrics if candidate.name == name)
    facts = [topology if declared.transport == topology else f"{declared.transport} {topology}"]
    facts += [f"{count:,} {role} switch{'es' if count > 1 else ''} {sku}" for role, sku, count in skus.iter_rows()]
    facts.append(f"{int(fabric_links.pairs['cables'].sum()):,} cables")
    totals = design.totals.get("fabrics", {}).get(name, {})
    bisection = totals.get("bisection_gbps")
    if bisection:
        facts.append(
            f"bisection {bisection / 1000:,.1f} Tb/s" if bisection >= 1e3 else f"bisection {bisection:,.1f} Gb/s"
        )
    return facts


def _part(fabric_links: FabricLinks, switches: pl.DataFrame) -> tuple[FabricLinks, str]:
    """The first unit or group with its title: its leaves, their hosts and the spines above; not the groups it is joined to."""
    leaf = switches.filter(pl.col("tier") == "leaf").sort("column", "scalable_unit", "index").row(0, named=True)
    same = (pl.col("pool") == leaf["pool"]) & (pl.col("scalable_unit") == leaf["scalable_unit"])
    inside = switches.filter((pl.col("tier") == "leaf") & same)
    if inside.height == 1 or inside.height > MOST_SWITCHES:
        inside = switches.filter((pl.col("tier") == "leaf") & (pl.col("column") == leaf["column"])).head(MOST_SWITCHES)
    ids = inside["id"]
    ends = pl.col("a").is_in(ids.implode()) | pl.col("b").is_in(ids.implode())
    pairs = fabric_links.pairs.filter(ends & (pl.col("kind") != "global"))
    connected = pl.concat([pairs["a"], pairs["b"], ids]).unique()
    devices = fabric_links.devices.filter(pl.col("id").is_in(connected.implode()))
    return FabricLinks(devices, pairs), f"In detail: {_title(leaf, inside)}"


def _title(leaf: dict[str, object], inside: pl.DataFrame) -> str:
    names: Sequence[str] = list(inside["device"])
    if leaf["pool"] and leaf["scalable_unit"]:
        return f"unit {leaf['scalable_unit']} of pool {leaf['pool']}"
    return f"{names[0]} to {names[-1]}" if len(names) > 1 else names[0]
