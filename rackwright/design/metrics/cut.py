"""Bisection: what one half of the endpoints can send to the other half, computed from the cables, not from injection.

The leaves of every connected part are halved in design order, which keeps scalable units together; a leaf in the middle belongs to both
halves. Flow is what leaves of one side can send to leaves of the other: directly, over switches that both sides reach, or over the tier
above those, with traffic spread evenly over parallel cables.
"""

from __future__ import annotations

import numpy as np

from rackwright.design.metrics.graph import Bools, FabricGraph, Floats, Ints, summed


def bisection_gbps(graph: FabricGraph, lost: Bools | None = None) -> float:
    """Gb/s per direction across the middle; `lost` marks switches that are down.

    A fabric without oversubscription gives half its injection, ``N * B / 2``; with it, that divided by the ratio.
    """
    alive = np.ones(len(graph.switches), dtype=np.bool_) if lost is None else ~lost
    keep = alive[graph.leaf]
    supply = summed(graph.leaf[keep], graph.node_gbps[keep], len(alive))
    usable = alive[graph.low] & alive[graph.high]
    half = _first_half(supply, graph.part)
    flow = _flow(graph, usable, [half, supply - half])
    return round(flow, 1)


def _first_half(supply: Floats, part: Ints) -> Floats:
    """The share of every leaf that belongs to the first half of its connected part."""
    order = np.argsort(part, kind="stable")
    sums = np.bincount(part, weights=supply)
    running = np.empty_like(supply)
    running[order] = np.cumsum(supply[order])
    before = running - supply - (np.cumsum(sums) - sums)[part]
    return np.clip(sums[part] / 2 - before, 0, supply)


def _flow(graph: FabricGraph, usable: Bools, sides: list[Floats]) -> float:
    flow = 0.0
    for level in graph.levels:
        met = np.minimum(sides[0], sides[1])
        flow += float(met.sum())
        sides = [side - met for side in sides]
        beside = usable & level & (graph.rank[graph.low] == graph.rank[graph.high])
        flow += _flow_across(graph, beside, sides)
        above = usable & level & ~beside
        sides = [_raised(graph, above, side) for side in sides]
    return flow + float(np.minimum(sides[0], sides[1]).sum())


def _flow_across(graph: FabricGraph, beside: Bools, sides: list[Floats]) -> float:
    """Flow over cables between switches of one tier, limited by the supply of both sides."""
    low, high = graph.low[beside], graph.high[beside]
    crossing = (sides[0][low] > 0) & (sides[1][high] > 0) | (sides[1][low] > 0) & (sides[0][high] > 0)
    room = float(graph.gbps[beside][crossing].sum())
    return min(room, float(sides[0].sum()), float(sides[1].sum()))


def _raised(graph: FabricGraph, above: Bools, side: Floats) -> Floats:
    """Flow that arrives one tier higher: each switch sends evenly over its uplinks, limited by their rate."""
    low, high, gbps = graph.low[above], graph.high[above], graph.gbps[above]
    room = summed(low, gbps, len(side))
    share = np.divide(np.minimum(side, room), room, out=np.zeros_like(side), where=room > 0)
    return summed(high, gbps * share[low], len(side))
