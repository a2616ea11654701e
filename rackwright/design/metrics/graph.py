"""A fabric as arrays: switches, the bundles of cables between them, and the links of nodes to leaves.

Cables between the same two switches are one bundle, so that a graph stays small where a table has millions of rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rackwright.model.design import Design
from rackwright.model.fabric import Fabric

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
TIERS = ("leaf", "management", "nvswitch", "spine", "core")
"""From the nodes upwards."""


@dataclass(frozen=True, eq=False)
class FabricGraph:
    """One fabric. Switches and nodes are counted from 0 in design order; rates in Gb/s per direction."""

    switches: list[str]
    tier: list[str]
    """Tier of every switch."""
    low: Ints
    """Bundles: the switch nearer to the nodes, the other one, cables in it, and their rate together."""
    high: Ints
    links: Ints
    gbps: Floats
    nodes: list[str]
    accelerators: Ints
    """Accelerators of every node."""
    node: Ints
    """Links of nodes: node, leaf, rate and plane (-1 where there is one only)."""
    leaf: Ints
    node_gbps: Floats
    plane: Ints

    @cached_property
    def rank(self) -> Ints:
        """Height of every switch above the nodes."""
        return np.array([TIERS.index(tier) for tier in self.tier], dtype=np.int64)

    @cached_property
    def levels(self) -> list[Bools]:
        """Bundles by the height of their lower end, lowest first."""
        height = self.rank[self.low]
        return [height == rank for rank in np.unique(height)]

    @cached_property
    def part(self) -> Ints:
        """Connected part of every switch, from 0: planes that share no switch are different parts."""
        label = np.arange(len(self.switches), dtype=np.int64)
        while True:
            least = label.copy()
            np.minimum.at(least, self.low, label[self.high])
            np.minimum.at(least, self.high, label[self.low])
            least = least[least]
            if np.array_equal(least, label):
                return np.asarray(np.unique(label, return_inverse=True)[1], dtype=np.int64)
            label = least

    @cached_property
    def injection_gbps(self) -> float:
        """Rate that all nodes can send together."""
        return float(self.node_gbps.sum())

    @cached_property
    def per_node_gbps(self) -> Floats:
        """Rate that every node can send."""
        return summed(self.node, self.node_gbps, len(self.nodes))


def graphs(design: Design) -> dict[str, FabricGraph]:
    """The graph of every fabric that has switches, in the order of the site."""
    devices = design.devices.filter(pl.col("kind") == "switch")
    nodes = design.node_table.filter(pl.col("role") == "accelerator")
    by_fabric = {}
    for fabric in design.site.fabrics:
        switches = devices.filter(pl.col("fabric") == fabric.owner).sort("role", "index", maintain_order=True)
        if not switches.is_empty():
            by_fabric[fabric.name] = graph(_cables(design, fabric), switches, nodes)
    return by_fabric


def _cables(design: Design, fabric: Fabric) -> pl.DataFrame:
    """The cables of `fabric`, those between the switches that it shares included."""
    mine = pl.col("fabric") == fabric.name
    if fabric.switches_of:
        mine |= (pl.col("fabric") == fabric.owner) & (pl.col("kind") != "node_leaf")
    return design.cables.filter(mine)


def graph(cables: pl.DataFrame, switches: pl.DataFrame, nodes: pl.DataFrame) -> FabricGraph:
    """The graph of the cables of one fabric between its switches and the accelerator nodes."""
    names = switches["device"].to_list()
    number = pl.DataFrame({"name": names, "number": range(len(names))}, schema={"name": pl.String, "number": pl.Int64})
    between = (
        cables.filter(pl.col("kind") != "node_leaf")
        .group_by("a_device", "b_device", maintain_order=True)
        .agg(pl.len().alias("links"), pl.col("gbps").sum())
        .join(number.rename({"number": "low"}), left_on="a_device", right_on="name", maintain_order="left")
        .join(number.rename({"number": "high"}), left_on="b_device", right_on="name", maintain_order="left")
    )
    numbered = nodes.select("node", "accelerators").with_row_index("at")
    hung = cables.filter(pl.col("kind").is_in(["node_leaf", "nvlink"])).select("a_device", "b_device", "gbps", "plane")
    hung = hung.join(numbered, left_on="a_device", right_on="node", maintain_order="left")
    hung = hung.join(number, left_on="b_device", right_on="name", maintain_order="left")
    return FabricGraph(
        switches=names,
        tier=switches["role"].to_list(),
        low=_ints(between["low"]),
        high=_ints(between["high"]),
        links=_ints(between["links"]),
        gbps=between["gbps"].to_numpy().astype(np.float64),
        nodes=nodes["node"].to_list(),
        accelerators=_ints(nodes["accelerators"]),
        node=_ints(hung["at"]),
        leaf=_ints(hung["number"]),
        node_gbps=hung["gbps"].to_numpy().astype(np.float64),
        plane=_ints(hung["plane"].fill_null(-1)),
    )


def summed(index: Ints, amounts: Floats, count: int) -> Floats:
    """By index from 0 to `count` - 1: the sum of its amounts."""
    return np.asarray(np.bincount(index, weights=amounts, minlength=count), dtype=np.float64)


def _ints(series: Any) -> Ints:
    return np.asarray(series.to_numpy(), dtype=np.int64)
