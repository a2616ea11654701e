"""The placement domains of a design: for every node the node, NVLink domain, rack, rail group, scalable unit, fabric and hall that it is in."""

from __future__ import annotations

from typing import get_args

import polars as pl

from rackwright.locality import groups
from rackwright.model.capacity import PoolPart
from rackwright.model.design import Design
from rackwright.model.tenancy import PlacementDomain

DOMAINS: tuple[PlacementDomain, ...] = get_args(PlacementDomain)
"""From the narrowest to the widest, as a job would be let into them one after the other."""


def places(design: Design) -> pl.DataFrame:
    """``node``, ``pool``, ``index`` and a column for each of `DOMAINS`; a node outside all groups of a kind is one by itself."""
    pools = [pool.name for pool in design.site.pools]
    near = groups.locality(design, pools, groups.default_fabrics(design))
    numbers = design.node_table.select("node", "index", "scalable_unit")
    nodes = near.nodes.join(numbers, on="node", how="left", maintain_order="left")
    widest = [*reversed(near.levels), "node"]
    unit = pl.concat_str("pool", pl.lit("-su"), "scalable_unit")
    return nodes.select(
        "pool",
        "index",
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
    last = part.first + part.nodes - 1
    return nodes.filter((pl.col("pool") == part.pool) & pl.col("index").is_between(part.first, last))
