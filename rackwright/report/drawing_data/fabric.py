"""A fabric at the grain at which it can be read: switch by switch when small, by scalable unit, pod, plane or rail when large.

A large one is one overview of tiles with counts, and one part of it in
detail; equal columns are drawn once with their number.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from rackwright.model.design import Design
from rackwright.report.drawing_data import graph
from rackwright.report.drawing_data.fabric_records import Fabric, Graph
from rackwright.report.drawing_data.links import Links, links

MOST_SWITCHES = 32
"""Up to here every switch is drawn."""
MOST_PAIRS = 320
"""Up to here every pair of switches has a line of its own."""


def fabrics(design: Design, only: str | None = None) -> list[Fabric]:
    """The fabrics of the site in declared order; with `only` that one."""
    return [
        Fabric(name=asked.name, graphs=_graphs(design, asked.name, asked.topology))
        for asked in design.site.fabrics
        if only in (None, asked.name)
    ]


def _graphs(design: Design, name: str, topology: str) -> list[Graph]:
    found = links(design, name)
    switches = found.devices.filter(pl.col("tier").is_in(["leaf", "spine", "core"]))
    if switches.is_empty():
        return []
    between = found.pairs.filter(pl.col("kind").is_in(["leaf_spine", "spine_core", "isl", "global"])).height
    facts = _facts(design, name, topology, found, switches)
    if switches.height <= MOST_SWITCHES and between <= MOST_PAIRS:
        return [graph.build(name, "Every switch", found, by_switch=True, facts=facts)]
    whole = graph.build(name, "The whole fabric", found, by_switch=False, facts=facts)
    part, title = _part(found, switches)
    small = graph.build(name, title, part, by_switch=True, facts=[], spines_apart=False)
    readable = sum(len(column.tiles) for column in small.columns) + len(small.ring) <= 3 * MOST_SWITCHES
    return [whole, small] if readable else [whole]


def _facts(design: Design, name: str, topology: str, found: Links, switches: pl.DataFrame) -> list[str]:
    skus = switches.group_by("role", "sku", maintain_order=True).agg(pl.len(), pl.col("tier").first())
    skus = skus.sort(pl.col("tier").replace_strict({"leaf": 0, "spine": 1, "core": 2}), maintain_order=True).drop(
        "tier"
    )
    asked = next(one for one in design.site.fabrics if one.name == name)
    facts = [topology if asked.transport == topology else f"{asked.transport} {topology}"]
    facts += [f"{count:,} {role} switch{'es' if count > 1 else ''} {sku}" for role, sku, count in skus.iter_rows()]
    facts.append(f"{int(found.pairs['cables'].sum()):,} cables")
    totals = design.totals.get("fabrics", {}).get(name, {})
    bisection = totals.get("bisection_gbps")
    if bisection:
        facts.append(
            f"bisection {bisection / 1000:,.1f} Tb/s" if bisection >= 1e3 else f"bisection {bisection:,.1f} Gb/s"
        )
    return facts


def _part(found: Links, switches: pl.DataFrame) -> tuple[Links, str]:
    """The first unit or group: its leaves, their hosts and the spines above; not the groups that it is joined to."""
    leaf = switches.filter(pl.col("tier") == "leaf").sort("column", "scalable_unit", "index").row(0, named=True)
    same = (pl.col("pool") == leaf["pool"]) & (pl.col("scalable_unit") == leaf["scalable_unit"])
    inside = switches.filter((pl.col("tier") == "leaf") & same)
    if inside.height == 1 or inside.height > MOST_SWITCHES:
        inside = switches.filter((pl.col("tier") == "leaf") & (pl.col("column") == leaf["column"])).head(MOST_SWITCHES)
    ids = inside["id"]
    ends = pl.col("a").is_in(ids.implode()) | pl.col("b").is_in(ids.implode())
    pairs = found.pairs.filter(ends & (pl.col("kind") != "global"))
    kept = pl.concat([pairs["a"], pairs["b"], ids]).unique()
    devices = found.devices.filter(pl.col("id").is_in(kept.implode()))
    return Links(devices, pairs), f"In detail: {_title(leaf, inside)}"


def _title(leaf: dict[str, object], inside: pl.DataFrame) -> str:
    names: Sequence[str] = list(inside["device"])
    if leaf["pool"] and leaf["scalable_unit"]:
        return f"unit {leaf['scalable_unit']} of pool {leaf['pool']}"
    return f"{names[0]} to {names[-1]}" if len(names) > 1 else names[0]
