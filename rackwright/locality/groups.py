"""Groups nodes that are near each other: the one grouping from which Slurm, Kubernetes and the graph are all written.

A group is connected by the cables up to a tier, starting from the nodes of the pools: nodes with leaves in common (all
rails of a scalable unit together), then groups that share spines (or are joined leaf to leaf), then groups that share
cores (or are joined group to group). It is named after its first switch of that tier, so that growth renames nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from rackwright.locality.components import Numbers, components
from rackwright.locality.tiers import HOST, devices
from rackwright.model.design import Design
from rackwright.model.fabric import Fabric


@dataclass(frozen=True)
class Level:
    """One tier of groups."""

    name: str
    """Column of the group, and tier of the switches after which it may be named."""
    joins: tuple[str, ...]
    """Kinds of cable that join its members, in addition to those of the levels below."""
    without: str
    """Word that, with the name of the group below, names a group without a switch of this tier."""


LEVELS = (
    Level("leaf", ("node_leaf",), "leaf"),
    Level("spine", ("leaf_spine", "isl"), "group"),
    Level("core", ("spine_core", "global"), "fabric"),
)
"""Closest first."""
NAMES = tuple(level.name for level in LEVELS)
DOMAIN = "nvlink"
"""Kind of the cables that join an accelerator domain."""


@dataclass(frozen=True)
class Locality:
    """Groups of nodes.

    `nodes`: ``node``, ``pool``, ``hall``, ``rack``, ``fabric``, then one column per level of `LEVELS` and ``domain``;
    null for a node without such a group. In design order.
    """

    nodes: pl.DataFrame

    @property
    def levels(self) -> tuple[str, ...]:
        """The levels that exist here, closest first."""
        return tuple(name for name in NAMES if self.nodes[name].is_not_null().any())

    @property
    def has_domains(self) -> bool:
        """Whether any node is in an accelerator domain that spans nodes."""
        return bool(self.nodes["domain"].is_not_null().any())


def default_fabrics(design: Design) -> list[Fabric]:
    """Fabrics for the placement of jobs: those of compute ports, then in-band ones for nodes without compute ports."""
    roles = ("compute", "inband")
    return [
        fabric
        for role in roles
        for fabric in design.site.fabrics
        if fabric.role == role and fabric.transport != "nvlink"
    ]


def locality(design: Design, pools: Sequence[str], fabrics: Sequence[Fabric], scheduler: str = "") -> Locality:
    """The groups of the nodes of `pools`; a node is grouped by the first of `fabrics` that connects it.

    Of a pool whose nodes have several schedulers, only those of `scheduler` if one is given.
    """
    places = design.racks.select("rack", "hall")
    nodes = design.node_table.filter((pl.col("role") == "accelerator") & pl.col("pool").is_in(list(pools)))
    mixed = [pool.name for pool in design.site.pools if pool.schedulers and scheduler in pool.nodes_by_scheduler()]
    nodes = nodes.filter(~pl.col("pool").is_in(mixed) | (pl.col("scheduler") == scheduler))
    nodes = nodes.select("node", "pool", "rack").join(places, on="rack", how="left", maintain_order="left")
    parts = [_groups(design, fabric) for fabric in fabrics]
    all_nodes = pl.concat(parts).unique("node", keep="first", maintain_order=True) if parts else _empty_locality()
    nodes = nodes.join(all_nodes, on="node", how="left", maintain_order="left")
    nodes = nodes.join(_domains(design), on="node", how="left", maintain_order="left")
    return Locality(nodes.select("node", "pool", "hall", "rack", "fabric", *NAMES, "domain"))


def _empty_locality() -> pl.DataFrame:
    return pl.DataFrame(schema=dict.fromkeys(("node", "fabric", *NAMES), pl.String))


def _groups(design: Design, fabric: Fabric) -> pl.DataFrame:
    """Node, fabric and the name of its group on every level, for the nodes of pools that `fabric` connects."""
    members = devices(design).filter((pl.col("role") == "accelerator") | (pl.col("fabric") == fabric.name))
    members = members.sort("tier", "index", "device").with_row_index("at")
    ends = _ends(design.cables.filter(pl.col("fabric") == fabric.name), members)
    names = {"node": members["device"]}
    below: pl.Series | None = None
    used: list[str] = []
    for level in LEVELS:
        used += level.joins
        pairs = ends.filter(pl.col("kind").is_in(used))
        if not pairs["kind"].is_in(list(level.joins)).any():
            names[level.name] = pl.Series([None] * members.height, dtype=pl.String)
            continue
        label = components(members.height, _column(pairs, "a"), _column(pairs, "b"))
        below = names[level.name] = _name_groups(members, label, level, below)
    table = pl.DataFrame(names).filter((members["tier"] == HOST) & pl.col("leaf").is_not_null())
    return table.select("node", pl.lit(fabric.name).alias("fabric"), *NAMES)


def _ends(cables: pl.DataFrame, members: pl.DataFrame) -> pl.DataFrame:
    """Kind of the cables between `members`, and the numbers of both ends."""
    number = members.select("device", "at")
    near = cables.select("kind", "a_device", "b_device").join(number, left_on="a_device", right_on="device")
    return near.rename({"at": "a"}).join(number, left_on="b_device", right_on="device").rename({"at": "b"})


def _column(pairs: pl.DataFrame, name: str) -> Numbers:
    return pairs[name].to_numpy().astype(np.int64)


def _name_groups(members: pl.DataFrame, label: Numbers, level: Level, below: pl.Series | None) -> pl.Series:
    """The name of the group of every member: its first switch of this tier, otherwise its first group below.

    On the lowest level any switch will do, since hosts of a collapsed core are connected to its cores.
    """
    frame = members.select("device", "tier", "index").with_columns(pl.Series("label", label))
    frame = frame.with_columns(below.alias("below") if below is not None else pl.lit(None, pl.String).alias("below"))
    switches = frame.filter(pl.col("tier") != HOST).sort("index", "device")
    of_level = switches.filter(pl.col("tier") == level.name) if below is not None else switches
    first = of_level.group_by("label", maintain_order=True).agg(pl.col("device").first().alias("own"))
    lower = switches.drop_nulls("below").group_by("label", maintain_order=True)
    of_lower = lower.agg(pl.col("below").first().alias("other"))
    frame = frame.join(first, on="label", how="left", maintain_order="left")
    frame = frame.join(of_lower, on="label", how="left", maintain_order="left")
    return frame.select(pl.coalesce("own", pl.concat_str("other", pl.lit(f"-{level.without}")))).to_series()


def _domains(design: Design) -> pl.DataFrame:
    """Node and domain, for nodes whose accelerators are joined by external NVLink switches.

    A domain is named after the rack of its first node, with a number from 2 if a rack has several.
    """
    cables = design.cables.filter(pl.col("kind") == DOMAIN).unique(["a_device", "b_device"], maintain_order=True)
    members = devices(design).filter((pl.col("role") == "accelerator") | (pl.col("tier") == "nvswitch"))
    members = members.with_row_index("at")
    ends = _ends(cables, members)
    joined = pl.concat([ends["a"], ends["b"]]).unique()
    label = components(members.height, _column(ends, "a"), _column(ends, "b"))
    nodes = members.with_columns(pl.Series("label", label)).filter(members["at"].is_in(joined.implode()))
    nodes = nodes.filter(pl.col("tier") == HOST)
    racks = nodes.group_by("label", maintain_order=True).agg(pl.col("rack").first())
    number = pl.int_range(1, pl.len() + 1).over("rack")
    suffix = pl.when(number > 1).then(pl.concat_str(pl.lit("-"), number)).otherwise(pl.lit(""))
    racks = racks.select("label", pl.concat_str("rack", suffix).alias("domain"))
    labelled = nodes.join(racks, on="label", maintain_order="left")
    return labelled.select(pl.col("device").alias("node"), "domain")
