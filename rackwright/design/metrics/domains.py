"""Failure domains: what a fabric has left after the loss of one switch, rack, row or hall, for nodes that stand elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from rackwright.design.metrics.cut import bisection_gbps
from rackwright.design.metrics.graph import FabricGraph, Ints
from rackwright.model.design import Design

KINDS = ("switches", "racks", "rows", "halls")
SAMPLES = 2
"""Elements whose loss is computed: those with most switches above the leaves, and those that most nodes hang on."""


def places(design: Design) -> Mapping[str, Mapping[str, str]]:
    """By kind of element: the element of every device."""
    row = pl.format("{} row {}", "hall", "row")
    table = design.devices.select("device", "rack").join(
        design.racks.select("rack", "hall", "row"), on="rack", how="left"
    )
    columns = {"switches": pl.col("device"), "racks": pl.col("rack"), "rows": row, "halls": pl.col("hall")}
    return {
        kind: dict(table.select("device", element.alias("element")).iter_rows()) for kind, element in columns.items()
    }


def study(graph: FabricGraph, where: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    """By kind of element: the worst loss of one, the nodes elsewhere that it cuts off, and the remaining share of the bisection."""
    bisection = bisection_gbps(graph)
    return {kind: _worst(graph, where[kind], bisection) for kind in KINDS}


def _worst(graph: FabricGraph, element_of: Mapping[str, str], bisection: float) -> dict[str, Any]:
    names = [element_of.get(device, device) for device in [*graph.switches, *graph.nodes]]
    elements, number = np.unique(np.array(names, dtype=object), return_inverse=True)
    switch, node = number[: len(graph.switches)], number[len(graph.switches) :]
    cut = _cut_off(graph, switch, node, len(elements))
    losses = []
    for element in _candidates(graph, switch, cut):
        share = bisection_gbps(graph, switch == element) / bisection if bisection else 0.0
        losses.append((share > 0, -int(cut[element]), share, str(elements[element])))
    connected, down, share, name = min(losses)
    return {"worst": name, "nodes_cut_off": -down, "bisection_share": round(min(share, 1.0), 4), "connected": connected}


def _cut_off(graph: FabricGraph, switch: Ints, node: Ints, elements: int) -> Ints:
    """By element: nodes that stand elsewhere and have all their links in it."""
    if not len(graph.node):
        return np.zeros(elements, dtype=np.int64)
    home = switch[graph.leaf]
    least, most = np.full(len(graph.nodes), elements), np.full(len(graph.nodes), -1)
    np.minimum.at(least, graph.node, home)
    np.maximum.at(most, graph.node, home)
    lonely = (least == most) & (node != most)
    return np.asarray(np.bincount(least[lonely], minlength=elements), dtype=np.int64)


def _candidates(graph: FabricGraph, switch: Ints, cut: Ints) -> list[int]:
    above = np.bincount(switch, weights=graph.rank, minlength=len(cut))
    some = [*np.argsort(-cut, kind="stable")[:SAMPLES], *np.argsort(-above, kind="stable")[:SAMPLES]]
    held = set(switch.tolist())
    return list(dict.fromkeys(int(element) for element in some if int(element) in held)) or [int(switch[0])]
