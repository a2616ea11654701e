"""Hops and path diversity between leaves, by breadth-first search from a few of them.

Published topologies are regular, so the first, middle and last leaf of a connected part stand for all; the search itself does not depend on
the topology.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rackwright.design.metrics.graph import FabricGraph, Floats, Ints, summed

UNREACHED = -1


def study(graph: FabricGraph) -> dict[str, Any]:
    """Parts, most switches on a shortest path, and how many such paths there are between the leaves farthest apart.

    `switch_hops` counts switches between two nodes, 1 when they share a leaf. `equal_cost_paths` counts cables apart,
    `disjoint_paths` the cables that the two leaves can use without sharing one.
    """
    leaves = np.unique(graph.leaf)
    if not len(leaves):
        return {"parts": 0, "switch_hops": 0, "equal_cost_paths": 0, "disjoint_paths": 0}
    parts = np.unique(graph.part[leaves])
    farthest = (0, 1.0, 0)
    for part in parts:
        mine = leaves[graph.part[leaves] == part]
        for source in dict.fromkeys((mine[0], mine[len(mine) // 2], mine[-1])):
            hops, paths = search(graph, int(source))
            far = int(hops[mine].max())
            count = float(paths[mine][hops[mine] == far].min()) if far else 1.0
            if far > farthest[0]:
                farthest = (far, count, _uplinks(graph, int(source)))
    return {
        "parts": len(parts),
        "switch_hops": farthest[0] + 1,
        "equal_cost_paths": int(farthest[1]),
        "disjoint_paths": farthest[2],
    }


def search(graph: FabricGraph, source: int) -> tuple[Ints, Floats]:
    """Hops from switch `source` to every switch, and the number of shortest paths, parallel cables counted each."""
    count = len(graph.switches)
    hops = np.full(count, UNREACHED, dtype=np.int64)
    paths = np.zeros(count)
    hops[source], paths[source] = 0, 1.0
    ends = np.concatenate([graph.low, graph.high]), np.concatenate([graph.high, graph.low])
    links = np.concatenate([graph.links, graph.links]).astype(np.float64)
    step = 0
    while True:
        going = (hops[ends[0]] == step) & (hops[ends[1]] == UNREACHED)
        if not going.any():
            return hops, paths
        paths += summed(ends[1][going], links[going] * paths[ends[0][going]], count)
        step += 1
        hops[ends[1][going]] = step


def _uplinks(graph: FabricGraph, leaf: int) -> int:
    return int(graph.links[graph.low == leaf].sum() + graph.links[graph.high == leaf].sum())
