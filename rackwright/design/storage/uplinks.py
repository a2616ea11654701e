"""What the switches of a fabric carry between nodes and storage, when every node reads evenly from every server.

Even striping sends, of a total rate R, the share ``s_m / S * (1 - n_m / N)`` out of leaf m and ``n_l / N * (1 - s_l / S)``
into leaf l (what stays on a leaf crosses no uplink), so that R is at most the least ``u / share``. Exact for folded Clos
and for joined pairs, because their links are even; an upper bound for other shapes. Switches that no link joins (planes,
rails) are islands, counted apart and added up.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class UplinkSide:
    """Rate of all nodes together that saturates the first uplink of one side, and the switch with that uplink."""

    gbps: float
    at: str


def islands(near: Numbers, far: Numbers, count: int) -> Numbers:
    """The lowest member that each of `count` switches is joined with over the links `near` - `far`, both (links,)."""
    label = np.arange(count, dtype=np.int64)
    while near.size:
        least = np.minimum(label[near], label[far])
        island = label.copy()
        np.minimum.at(island, near, least)
        np.minimum.at(island, far, least)
        island = island[island]
        if np.array_equal(island, label):
            break
        label = island
    return label


def grouped(leaves: pl.DataFrame, links: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The leaves, and the groups of leaves that a third tier joins, each with its island and bandwidth upwards.

    `leaves`: leaf, nodes, servers (Gb/s). `links`: near, far, kind, gbps. Both results: name, island, nodes, servers, up.
    """
    switches = pl.concat([leaves["leaf"], links["near"], links["far"]]).unique(maintain_order=True)
    number = pl.DataFrame({"leaf": switches, "number": np.arange(switches.len(), dtype=np.int64)})
    pairs = links.select("near", "far", "kind").unique(maintain_order=True)
    near, far = (_numbers(pairs[side], number) for side in ("near", "far"))
    low = (pairs["kind"] != "spine_core").to_numpy()
    island = islands(near, far, switches.len())
    pod = islands(near[low], far[low], switches.len())
    labelled = number.with_columns(pl.Series("island", island), pl.Series("pod", pod))
    ends = pl.concat([links.select(pl.col(side).alias("leaf"), "kind", "gbps") for side in ("near", "far")])
    up = ends.group_by("leaf").agg(pl.col("gbps").sum().alias("up"))
    singles = leaves.join(labelled, on="leaf", how="left", maintain_order="left").join(up, on="leaf", how="left")
    singles = singles.with_columns(pl.col("up").fill_null(0)).rename({"leaf": "name"})
    return singles, _pods(singles, ends, labelled)


def limit(groups: pl.DataFrame, size: str, peer_size: str) -> UplinkSide | None:
    """The side of `size` (``nodes`` or ``servers``) of `groups`; None when none of its traffic crosses an uplink.

    An island without nodes or without servers carries nothing; where every island is like that, the rate is 0. An island whose traffic crosses
    no uplink counts with the rate of its ports.
    """
    total = groups.with_columns(
        pl.col(size).sum().over("island").alias("all"), pl.col(peer_size).sum().over("island").alias("far")
    )
    live = total.filter((pl.col("all") > 0) & (pl.col("far") > 0))
    if live.is_empty():
        apart = groups.filter(pl.col("nodes") + pl.col("servers") > 0)
        return UplinkSide(0.0, str(apart["name"][0])) if apart.height else None
    crossing = pl.col(size) / pl.col("all") * (1 - pl.col(peer_size) / pl.col("far"))
    rated = live.with_columns(pl.when(crossing > 0).then(pl.col("up") / crossing).alias("rate"))
    if rated["rate"].null_count() == rated.height:
        return None
    worst = rated.sort("rate", nulls_last=True, maintain_order=True).group_by("island", maintain_order=True).first()
    return UplinkSide(float(worst.select(pl.coalesce("rate", "all").sum()).item()), str(worst["name"][0]))


def _numbers(names: pl.Series, number: pl.DataFrame) -> Numbers:
    joined = pl.DataFrame({"leaf": names}).join(number, on="leaf", how="left", maintain_order="left")
    return joined["number"].to_numpy()


def _pods(singles: pl.DataFrame, ends: pl.DataFrame, labelled: pl.DataFrame) -> pl.DataFrame:
    above = ends.filter(pl.col("kind") == "spine_core").join(labelled, on="leaf")
    pods = singles.group_by("pod", maintain_order=True).agg(
        pl.format("pod of {}", pl.col("name").first()).alias("name"),
        pl.col("island").first(),
        pl.col("nodes").sum(),
        pl.col("servers").sum(),
    )
    up = above.group_by("pod").agg(pl.col("gbps").sum().alias("up"))
    return pods.join(up, on="pod", how="inner", maintain_order="left")
