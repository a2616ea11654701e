"""How much there is to place, plug and onboard, by scalable unit.

What belongs to no unit (spines,
control and storage servers, the racks that hold only such) is shared.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from rackwright.model.design import Design

Key = tuple[str, int]
"""Pool and scalable unit, from 1; ``SHARED`` for the rest."""
SHARED: Key = ("", 0)


@dataclass(frozen=True)
class Work:
    """Counts of work items."""

    racks: int = 0
    cables: int = 0
    nodes: int = 0
    accelerators: int = 0

    def __add__(self, work: Work) -> Work:
        return Work(
            self.racks + work.racks,
            self.cables + work.cables,
            self.nodes + work.nodes,
            self.accelerators + work.accelerators,
        )


def by_unit(design: Design) -> Mapping[Key, Work]:
    """Work of every scalable unit of every pool, and of what is shared; the sum is the whole site.

    A rack belongs to the first unit it holds a device of, a cable to the unit of its lower end. One row of the cable
    table is one cable to plug; those inside an NVLink domain come with the rack.
    """
    pools = [pool.name for pool in design.site.pools]
    owned = pl.col("pool").is_in(pools) & (pl.col("scalable_unit") > 0)
    devices = design.devices.lazy().select(
        "device",
        "rack",
        pl.when(owned).then("pool").otherwise(pl.lit("")).alias("pool"),
        pl.when(owned).then("scalable_unit").otherwise(0).alias("unit"),
    )
    order = pl.col("pool").replace_strict({name: at for at, name in enumerate(pools)}, default=len(pools))
    first = devices.sort(order, "unit", maintain_order=True).group_by("rack").first()
    racks = first.group_by("pool", "unit").agg(pl.len().alias("racks"))
    owners = devices.select(pl.col("device").alias("a_device"), "pool", "unit")
    cables = (
        design.cables.lazy()
        .filter(pl.col("kind") != "nvlink")
        .select("a_device")
        .join(owners, on="a_device", how="left")
    )
    cables = cables.with_columns(pl.col("pool").fill_null(""), pl.col("unit").fill_null(0))
    plugs = cables.group_by("pool", "unit").agg(pl.len().alias("cables"))
    machines = design.node_table.lazy().filter(pl.col("role") == "accelerator")
    unit = pl.col("scalable_unit").alias("unit")
    nodes = machines.group_by("pool", unit).agg(pl.len().alias("nodes"), pl.col("accelerators").sum())
    unit_work: dict[Key, Work] = {SHARED: Work()}
    for counted in (racks, plugs, nodes):
        for row in counted.collect().iter_rows(named=True):
            key = (str(row.pop("pool")), int(row.pop("unit")))
            unit_work[key] = unit_work.get(key, Work()) + Work(**row)
    empty = len(design.racks) - sum(work.racks for work in unit_work.values())
    unit_work[SHARED] += Work(racks=empty)
    return unit_work
