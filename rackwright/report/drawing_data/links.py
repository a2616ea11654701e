"""A fabric as numbers: its devices, and the number of cables between each pair of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from rackwright.model.design import Design

Ints = npt.NDArray[np.int64]
TIERS = {"management": "leaf", "nvswitch": "leaf", "router": "leaf"}
"""Tiers that are drawn as leaves: what hosts hang on."""
INNER = ("leaf_spine", "isl")
"""Cables that make switches one column; the others join columns."""


@dataclass(frozen=True)
class FabricLinks:
    """The devices of a fabric (``id`` counts them) and their pairs (``a`` and ``b`` are ids)."""

    devices: pl.DataFrame
    pairs: pl.DataFrame


def links(design: Design, name: str) -> FabricLinks:
    """The fabric called `name`."""
    cables = design.cables.filter(pl.col("fabric") == name)
    joined = cables.group_by("a_device", "b_device", "kind", "gbps", maintain_order=True).agg(
        pl.len().alias("cables"),
        *(
            pl.when(pl.col(column).n_unique() == 1).then(pl.col(column).first()).alias(column)
            for column in ("rail", "plane")
        ),
    )
    devices = _devices(design, name, joined)
    ids = devices.select("device", "id")
    pairs = (
        joined.join(ids.rename({"device": "a_device", "id": "a"}), on="a_device", how="left", maintain_order="left")
        .join(ids.rename({"device": "b_device", "id": "b"}), on="b_device", how="left", maintain_order="left")
        .select("a", "b", "kind", "gbps", "cables", "rail", "plane")
        .sort("a", "b", "kind", "gbps")
    )
    return FabricLinks(devices.with_columns(pl.Series("column", _columns(devices, pairs), dtype=pl.Int64)), pairs)


def _devices(design: Design, name: str, joined: pl.DataFrame) -> pl.DataFrame:
    """Switches of the fabric, then hosts, then switches of other fabrics above it."""
    owner = next((fabric.owner for fabric in design.site.fabrics if fabric.name == name), name)
    fabric_switches = design.devices.filter((pl.col("kind") == "switch") & (pl.col("fabric") == owner))
    ends = pl.concat([joined["a_device"], joined["b_device"]]).unique()
    if owner != name:
        fabric_switches = fabric_switches.filter(pl.col("device").is_in(ends.implode()))
    far = joined.filter(pl.col("kind") == "uplink")["b_device"].unique()
    mine = pl.col("device").is_in(fabric_switches["device"].implode())
    end_devices = design.devices.filter(pl.col("device").is_in(ends.implode()) & ~mine)
    tier = pl.when(pl.col("device").is_in(far.implode())).then(pl.lit("other")).otherwise(pl.lit("host"))
    keep = ["device", "role", "sku", "rack", "pool", "scalable_unit", "index", "kind", "fabric"]
    every = pl.concat(
        [
            fabric_switches.with_columns(pl.col("role").replace(TIERS).alias("tier")).select("tier", *keep),
            end_devices.with_columns(tier.alias("tier")).select("tier", *keep),
        ]
    )
    last = pl.col("scalable_unit").fill_null(0) <= 0
    ordered = every.sort(pl.col("tier").is_in(["host", "other"]), last, "scalable_unit", "pool", "index", "device")
    return ordered.with_row_index("id").with_columns(pl.col("id").cast(pl.Int64))


def _columns(devices: pl.DataFrame, pairs: pl.DataFrame) -> Ints:
    """Number of the column of every device; -1 for devices in no column or in several."""
    tier = devices["tier"].to_numpy()
    low = (tier == "leaf") | (tier == "spine")
    inner = pairs.filter(pl.col("kind").is_in(INNER))
    count = devices.height
    label = _joined_components(count, inner["a"].to_numpy(), inner["b"].to_numpy())
    down = pairs.filter(~pl.col("kind").is_in([*INNER, "spine_core", "global", "uplink"]))
    if inner.is_empty() and int(low.sum()) > 1:
        label = _joined_components(count, down["a"].to_numpy(), down["b"].to_numpy())
    column = np.where(low, label, -1)
    lowest, highest = np.full(count, count, dtype=np.int64), np.full(count, -1, dtype=np.int64)
    near, far = down["a"].to_numpy(), down["b"].to_numpy()
    np.minimum.at(lowest, near, column[far])
    np.maximum.at(highest, near, column[far])
    column = np.where((tier == "host") & (lowest == highest), highest, column)
    used = np.unique(column[column >= 0])
    return np.where(column >= 0, np.searchsorted(used, column), -1)


def _joined_components(count: int, a: Ints, b: Ints) -> Ints:
    """The smallest id in the connected part of each of `count` ids, joined pairwise by `a` and `b`."""
    label = np.arange(count, dtype=np.int64)
    while True:
        low = np.minimum(label[a], label[b])
        fresh = label.copy()
        np.minimum.at(fresh, a, low)
        np.minimum.at(fresh, b, low)
        fresh = fresh[fresh]
        if np.array_equal(fresh, label):
            return label
        label = fresh
