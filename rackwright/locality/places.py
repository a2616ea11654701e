"""The placement domains of a design: the node, NVLink domain, rack, rail group, scalable unit, fabric and hall of every
node.
"""

from __future__ import annotations

from typing import get_args

import polars as pl

from rackwright.locality import groups
from rackwright.model.capacity import PoolPart
from rackwright.model.design import Design
from rackwright.model.tenancy import PlacementDomain

DOMAINS: tuple[PlacementDomain, ...] = get_args(PlacementDomain)
"""From the narrowest to the widest."""
NUMBER = pl.col("index").rank("ordinal").over("role", "pool", "scheduler").alias("number")
"""Expression on ``node_table``: number of a node among those of its pool with the same scheduler, from 1."""


def places(design: Design) -> pl.DataFrame:
    """``node``, ``pool``, ``scheduler``, ``number`` (among the nodes of the pool with that scheduler) and a column for
    each of `DOMAINS`.

    A node outside all groups of a kind is a group by itself.
    """
    pools = [pool.name for pool in design.site.pools]
    near = groups.locality(design, pools, groups.default_fabrics(design))
    numbers = design.node_table.select("node", "scheduler", NUMBER, "scalable_unit")
    nodes = near.nodes.join(numbers, on="node", how="left", maintain_order="left")
    widest = [*reversed(near.levels), "node"]
    unit = pl.concat_str("pool", pl.lit("-su"), "scalable_unit")
    return nodes.select(
        "pool",
        "scheduler",
        "number",
        "node",
        "rack",
        "hall",
        pl.coalesce("domain", "node").alias("nvlink-domain"),
        pl.coalesce("leaf", "node").alias("rail-group"),
        unit.alias("scalable-unit"),
        pl.coalesce(*widest).alias("fabric"),
    )


def of_part(nodes: pl.DataFrame, part: PoolPart) -> pl.DataFrame:
    """Those of `nodes` that are in a part."""
    return nodes.filter(inside(part))


def inside(part: PoolPart) -> pl.Expr:
    """Whether a node is in a part, by its columns ``pool``, ``scheduler`` and ``number``."""
    last = part.first + part.nodes - 1
    same = (pl.col("pool") == part.pool) & (pl.col("scheduler") == part.scheduler)
    return same & pl.col("number").is_between(part.first, last)
