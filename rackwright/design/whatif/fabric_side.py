"""The fabrics without some switches, cables and nodes.

The remaining cables are measured like any fabric; nodes that are down send nothing.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from rackwright.design.metrics.cut import bisection_gbps
from rackwright.design.metrics.graph import Bools, FabricGraph, graphs
from rackwright.design.whatif.result import FabricLeft
from rackwright.model.design import Design


@dataclass(frozen=True)
class Fabrics:
    """The remaining part of each fabric, and the nodes that are cut off."""

    remaining: tuple[FabricLeft, ...]
    cut_off: dict[str, frozenset[str]]
    """By fabric."""


def remaining_fabrics(design: Design, down: AbstractSet[str], cables: AbstractSet[str]) -> Fabrics:
    """Every fabric without the devices `down` and the `cables`."""
    lost_cables = design.cables.filter(pl.col("cable").is_in(list(cables))) if cables else design.cables.clear()
    remaining, cut_off = [], {}
    for name, graph in graphs(design).items():
        fabric_left, apart = _fabric_left(name, graph, down, lost_cables.filter(pl.col("fabric") == name))
        remaining.append(fabric_left)
        cut_off[name] = apart
    return Fabrics(tuple(remaining), cut_off)


def _fabric_left(
    name: str, graph: FabricGraph, down: AbstractSet[str], lost_cables: pl.DataFrame
) -> tuple[FabricLeft, frozenset[str]]:
    lost = np.array([switch in down for switch in graph.switches], dtype=np.bool_)
    off = np.array([node in down for node in graph.nodes], dtype=np.bool_)
    keep = ~off[graph.node] & ~_cut_links(graph, lost_cables)
    thinned = replace(
        _graph_without(graph, lost_cables),
        node=graph.node[keep],
        leaf=graph.leaf[keep],
        node_gbps=graph.node_gbps[keep],
        plane=graph.plane[keep],
    )
    before = bisection_gbps(graph)
    after = bisection_gbps(thinned, lost)
    had = np.bincount(graph.node, minlength=len(graph.nodes))
    has = np.bincount(thinned.node[~lost[thinned.leaf]], minlength=len(graph.nodes))
    cut = (had > 0) & (has == 0) & ~off
    slowed = (has > 0) & (has < had)
    share = round(min(after / before, 1.0), 4) if before else 1.0
    apart = frozenset(graph.nodes[int(at)] for at in np.flatnonzero(cut))
    return FabricLeft(name, after, share, int(cut.sum()), int(slowed.sum()), int(lost.sum())), apart


def _cut_links(graph: FabricGraph, lost_cables: pl.DataFrame) -> Bools:
    """Links of nodes that are lost: as many as lost cables between the same node and leaf."""
    cut = np.zeros(len(graph.node), dtype=np.bool_)
    nodes = {name: at for at, name in enumerate(graph.nodes)}
    leaves = {name: at for at, name in enumerate(graph.switches)}
    for near, far in lost_cables.select("a_device", "b_device").iter_rows():
        if near in nodes and far in leaves:
            mine = np.flatnonzero((graph.node == nodes[near]) & (graph.leaf == leaves[far]) & ~cut)
            cut[mine[:1]] = True
    return cut


def _graph_without(graph: FabricGraph, lost_cables: pl.DataFrame) -> FabricGraph:
    """The graph without lost cables in its bundles."""
    at = {name: number for number, name in enumerate(graph.switches)}
    links, gbps = graph.links.copy(), graph.gbps.copy()
    for near, far, rate in lost_cables.select("a_device", "b_device", "gbps").iter_rows():
        if near in at and far in at:
            bundle = (graph.low == at[near]) & (graph.high == at[far]) & (links > 0)
            links[bundle] -= 1
            gbps[bundle] -= rate
    keep = links > 0
    return replace(graph, low=graph.low[keep], high=graph.high[keep], links=links[keep], gbps=gbps[keep])
