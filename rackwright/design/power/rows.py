"""The power side of the tables of a design, with numbers beside the names."""

from __future__ import annotations

import polars as pl

from rackwright.design.power.capacity import BETWEEN, PHASES, TO_NEUTRAL
from rackwright.design.power.caps import after_loss
from rackwright.model.design import Design
from rackwright.model.facility import Power
from rackwright.model.sku import Server, Switch


def devices(design: Design, racks: pl.DataFrame) -> pl.DataFrame:
    """Everything that draws power: rack (``at``), peak, supplies and how many are needed, both also after a loss, accelerators of nodes."""
    skus: dict[str, Server | Switch] = {**design.servers, **design.switches}
    rows = [_part(design.site.facility.power, part) for part in skus.values()]
    parts = pl.DataFrame(rows, schema=PARTS, orient="row")
    nodes = design.node_table.select(pl.col("node").alias("device"), "accelerators")
    frame = design.devices.filter(pl.col("sku").is_in(list(skus))).select("device", "sku", "rack", "peak_watts")
    frame = frame.join(racks, on="rack", maintain_order="left")
    frame = frame.join(parts, on="sku", how="left", maintain_order="left")
    return frame.join(nodes, on="device", how="left", maintain_order="left").sort("at", maintain_order=True)


PARTS = {"sku": pl.String, "count": pl.Int64, "needed": pl.Int64, "capped_watts": pl.Int64, "capped_needed": pl.Int64}


def _part(power: Power, part: Server | Switch) -> tuple[str, int, int, int, int]:
    """A row of `PARTS`."""
    capped = after_loss(power, part)
    return part.sku, part.psus.count, part.psus.needed, capped.watts, capped.needed


def circuits(design: Design, racks: pl.DataFrame) -> pl.DataFrame:
    """Every circuit with its number, rack and feed."""
    frame = design.circuits.select("circuit", "rack", "feed", "usable_watts")
    frame = frame.join(racks, on="rack", maintain_order="left").sort("at", maintain_order=True)
    return frame.with_columns(_feed(design)).with_row_index("circuit_at")


def supplies(design: Design, of: pl.DataFrame, on: pl.DataFrame) -> pl.DataFrame:
    """Every supply on a circuit of `on`, with its device of `of`; no device for a rectifier of a power shelf."""
    phases = {name: at % PHASES for at, name in enumerate((*TO_NEUTRAL, *BETWEEN))}
    numbered = of.select("device").with_row_index("device_at")
    frame = design.psus.join(numbered, on="device", how="left", maintain_order="left")
    frame = frame.join(on.select("circuit", "at", "circuit_at"), on="circuit", maintain_order="left")
    phase = pl.col("phase").replace_strict(phases, return_dtype=pl.Int64)
    return frame.with_columns(_feed(design), phase).sort("at", maintain_order=True)


def _feed(design: Design) -> pl.Expr:
    feeds = {feed: at for at, feed in enumerate(design.site.facility.power.feeds)}
    return pl.col("feed").replace_strict(feeds, return_dtype=pl.Int64)
