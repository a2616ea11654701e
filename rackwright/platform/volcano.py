"""Volcano: a HyperNode for every group of nodes, tier by tier; each is a member of one group of the tier above.

Tiers and members follow ``topology.volcano.sh/v1alpha1`` of volcano.sh/apis; each member has an exact name, because a
label can only select nodes.
"""

from __future__ import annotations

from itertools import pairwise

import polars as pl

from rackwright.compat import kubernetes_addons
from rackwright.model.design import Design
from rackwright.platform import topology
from rackwright.platform.labels import NodeLabels
from rackwright.platform.object import Object, make


def objects(design: Design, labels: NodeLabels, version: str) -> list[Object]:
    """The HyperNodes of every pool, from the finest tier to the coarsest; tier 1 holds nodes."""
    api = kubernetes_addons.load().api("volcano", "HyperNode", version)
    result: list[Object] = []
    for pool in dict.fromkeys(labels.nodes["pool"]):
        columns = topology.level_columns(labels, pool, topology.wanted_columns(design, labels, pool))
        nodes = labels.nodes.filter(pl.col("pool") == pool)
        finest_first = _different(nodes, list(reversed(columns)))
        for tier, (below, column) in enumerate(pairwise(finest_first), start=1):
            pairs = nodes.select(column, below).unique(maintain_order=True)
            for name, members in pairs.group_by(column, maintain_order=True).agg(pl.col(below)).iter_rows():
                kind, named = (
                    ("Node", members) if tier == 1 else ("HyperNode", [hyper_node(pool, below, m) for m in members])
                )
                spec = {
                    "tier": tier,
                    "members": [{"type": kind, "selector": {"exactMatch": {"name": m}}} for m in named],
                }
                result.append(make(api, "HyperNode", hyper_node(pool, column, name), spec=spec))
    return result


def hyper_node(pool: str, column: str, group: str) -> str:
    """Name of the HyperNode of a group.

    It contains pool and column, because groups of two columns may have the same name, and a group may have nodes of
    several pools.
    """
    return f"{pool}-{column}-{group}"


def _different(nodes: pl.DataFrame, columns: list[str]) -> list[str]:
    """`columns` without those that hold the same groups as the one before."""
    result = columns[:1]
    for column in columns[1:]:
        if nodes[column].n_unique() < nodes[result[-1]].n_unique():
            result.append(column)
    return result
