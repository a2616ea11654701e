"""Failure domains: what a fabric has left after the loss of a switch, rack, row, hall, feed or CDU, for nodes that are not lost with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from rackwright.design.metrics.cut import bisection_gbps
from rackwright.design.metrics.graph import Bools, FabricGraph, Ints
from rackwright.design.metrics.plant_loss import Downs
from rackwright.model.design import Design
from rackwright.model.fabric import FabricLosses

KINDS = ("switches", "racks", "rows", "halls")
SAMPLES = 2
"""Elements whose loss is computed: those with most switches above the leaves, and those that most nodes hang on."""


def places(design: Design) -> Mapping[str, Mapping[str, str]]:
    """Kind of element -> device -> name of the element it is in."""
    row = pl.format("{} row {}", "hall", "row")
    table = design.devices.select("device", "rack").join(
        design.racks.select("rack", "hall", "row"), on="rack", how="left"
    )
    columns = {"switches": pl.col("device"), "racks": pl.col("rack"), "rows": row, "halls": pl.col("hall")}
    return {
        kind: dict(table.select("device", element.alias("element")).iter_rows()) for kind, element in columns.items()
    }


def study(
    graph: FabricGraph, where: Mapping[str, Mapping[str, str]], downs: Downs, declared: FabricLosses | None = None
) -> dict[str, Any]:
    """By kind of element: the worst loss, the nodes that it cuts off besides those inside it, and the remaining share of the bisection.

    As many elements are lost at once as `declared` says, at least one; `downs` lists the devices that go down with a feed or a CDU.
    """
    bisection = bisection_gbps(graph)
    counts = {kind: getattr(declared, kind, 0) for kind in KINDS}
    of_places = {kind: _worst(graph, where[kind], bisection, counts[kind]) for kind in KINDS}
    return of_places | {kind: _worst_down(graph, elements, bisection) for kind, elements in downs.items()}


def _worst(graph: FabricGraph, element_of: Mapping[str, str], bisection: float, count: int) -> dict[str, Any]:
    names = [element_of.get(device, device) for device in [*graph.switches, *graph.nodes]]
    elements, number = np.unique(np.array(names, dtype=object), return_inverse=True)
    switch, node = number[: len(graph.switches)], number[len(graph.switches) :]
    cut = _cut_off(graph, switch, node, len(elements))
    losses = []
    for element in _candidates(graph, switch, cut) if count <= 1 else ():
        share = bisection_gbps(graph, switch == element) / bisection if bisection else 0.0
        losses.append((share > 0, -int(cut[element]), share, str(elements[element])))
    for lost in _sets(graph, switch, count) if count > 1 else ():
        together = " and ".join(str(elements[element]) for element in sorted(lost))
        gone = np.isin(switch, list(lost))
        losses.append((*_remaining(graph, gone, np.isin(node, list(lost)), bisection), together))
    return _loss(*min(losses))


def _loss(connected: bool, down: int, share: float, name: str) -> dict[str, Any]:
    return {"worst": name, "nodes_cut_off": -down, "bisection_share": round(min(share, 1.0), 4), "connected": connected}


def _worst_down(graph: FabricGraph, elements: Mapping[str, frozenset[str]], bisection: float) -> dict[str, Any]:
    losses = []
    for name, down in elements.items():
        if down:
            gone, off = (np.array([device in down for device in some]) for some in (graph.switches, graph.nodes))
            losses.append((*_remaining(graph, gone, off, bisection), name))
        else:
            losses.append((True, 0, 1.0, name))
    return _loss(*min(losses))


def _remaining(graph: FabricGraph, gone: Bools, off: Bools, bisection: float) -> tuple[bool, int, float]:
    """The fabric without the switches `gone` and the nodes `off`: whether any traffic passes the middle, minus the number of other nodes without a
    link, and the remaining share of `bisection`. The worst loss has the smallest value.
    """
    had = np.bincount(graph.node, minlength=len(graph.nodes)) > 0
    alive = ~off[graph.node] & ~gone[graph.leaf]
    has = np.bincount(graph.node[alive], minlength=len(graph.nodes)) > 0
    keep = ~off[graph.node]
    rest = replace(
        graph, node=graph.node[keep], leaf=graph.leaf[keep], node_gbps=graph.node_gbps[keep], plane=graph.plane[keep]
    )
    share = bisection_gbps(rest, gone) / bisection if bisection else 0.0
    return share > 0, -int((had & ~has & ~off).sum()), share


def _sets(graph: FabricGraph, switch: Ints, count: int) -> Iterator[frozenset[int]]:
    """Candidates for the worst loss of `count` elements: sets that hold all leaves of most nodes, and those with most switches above the leaves."""
    leaves: dict[int, set[int]] = {}
    for node, home in zip(graph.node.tolist(), switch[graph.leaf].tolist(), strict=True):
        leaves.setdefault(node, set()).add(home)
    homes = Counter(frozenset(some) for some in leaves.values() if len(some) <= count)
    above = np.bincount(switch, weights=graph.rank)
    highest = [int(element) for element in np.argsort(-above, kind="stable") if element in set(switch.tolist())]
    for first, _ in homes.most_common(SAMPLES):
        lost = set(first)
        for more, _ in homes.most_common():
            lost |= more if len(lost | more) <= count else set()
        yield frozenset([*lost, *(element for element in highest if element not in lost)][:count])
    yield frozenset(highest[:count])


def _cut_off(graph: FabricGraph, switch: Ints, node: Ints, elements: int) -> Ints:
    """By element: number of nodes that are elsewhere and have all their links in it."""
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
