"""The cable schedule: what a crew orders, labels, bundles and pulls, in which order.

cables(design)            one row per cable as it is handled, in pull order: ends, labels, bundle, order
totals(cables)            cables and metres by part and length
port_map(design, rack)    every port of a rack, from the top down, with its far end
labels(cables)            two labels per cable, one for each end

pieces.py  ends.py    from links to cables with two places        bundles.py  order.py    what is tied and pulled together
label.py              label text                                  portmap.py              the ports of a rack
"""

from __future__ import annotations

import polars as pl

from rackwright.design.schedule.bundles import with_bundles
from rackwright.design.schedule.ends import with_ends
from rackwright.design.schedule.label import labels, with_labels
from rackwright.design.schedule.order import in_order
from rackwright.design.schedule.pieces import pieces
from rackwright.design.schedule.portmap import port_map
from rackwright.model.design import Design

__all__ = ["COLUMNS", "cables", "labels", "port_map", "totals"]

COLUMNS = [
    "order",
    "stage",
    "crew",
    "bundle",
    "cable",
    "links",
    "fabric",
    "kind",
    "rail",
    "plane",
    "gbps",
    "sku",
    "medium",
    "length_meters",
    "routed_meters",
    "a_rack",
    "a_unit",
    "a_device",
    "a_port",
    "b_rack",
    "b_unit",
    "b_device",
    "b_port",
    "a_label",
    "b_label",
]
"""The columns of the schedule, in the order of the CSV. `order` counts from 1; lengths are in metres."""


def cables(design: Design) -> pl.DataFrame:
    """Every cable of `design` in pull order, with the columns `COLUMNS`."""
    frame = with_ends(pieces(design), design)
    return with_labels(in_order(with_bundles(frame))).select(COLUMNS)


def totals(cables: pl.DataFrame) -> pl.DataFrame:
    """``sku``, ``medium``, ``length_meters``, ``cables``, ``links``, ``meters`` of the cables of a schedule, by part and length.

    Unknown lengths and their metres are null.
    """
    return (
        cables.group_by("sku", "medium", "length_meters")
        .agg(
            pl.len().cast(pl.Int64).alias("cables"),
            pl.col("links").sum().cast(pl.Int64),
            (pl.len() * pl.col("length_meters").first()).alias("meters"),
        )
        .sort("sku", "length_meters", nulls_last=True)
    )
