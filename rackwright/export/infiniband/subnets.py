"""The subnets of an InfiniBand fabric, with every link as the fabric itself counts it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl

from rackwright.export.links import links
from rackwright.export.plain import Names, require
from rackwright.locality.components import components
from rackwright.locality.tiers import HOST, devices
from rackwright.model.design import Design

NAMES = Names("InfiniBand tools", r"[!#-~]+", 64, "printable ASCII without blanks and quotes")
"""Node descriptions are 64 bytes (InfiniBand Architecture Specification, NodeDescription); ibsim reads 64 in quotes."""
_TIER = re.compile(r"-(?:leaf|spine|core|switch)-\d+$")


@dataclass(frozen=True)
class SubnetPlan:
    """One subnet.

    `links`: the cables, with ``a_id`` and ``b_id`` (what ibsim calls the node), ``a_name`` and ``b_name`` (what the node
    calls itself: ``train-001 mlx5_0``, ``compute-leaf-01``), ``a_at`` and ``b_at`` (port number there), ``port_gbps`` of
    the switch at end b. `switches`: ``device``, ``count`` of ports. `adapters`: ``id``, ``name``, ``device``, ``port``,
    those of subnet managers first. End a is a host port or a switch, end b always a switch.
    """

    name: str
    links: pl.DataFrame
    switches: pl.DataFrame
    adapters: pl.DataFrame


def subnets(design: Design, fabric: str) -> list[SubnetPlan]:
    """The subnets of `fabric`, in the order of their first switch. Raises `ProblemsError` for names that do not fit."""
    cables = links(design, fabric)
    switches = devices(design).filter((pl.col("fabric") == fabric) & (pl.col("tier") != HOST))
    switches = switches.sort("tier", "index", "device").with_row_index("at")
    number = switches.select("device", "at")
    pairs = cables.select("a_device", "b_device").join(number, left_on="a_device", right_on="device")
    pairs = pairs.rename({"at": "a"}).join(number, left_on="b_device", right_on="device").rename({"at": "b"})
    ends = (pairs[end].to_numpy().astype(np.int64) for end in ("a", "b"))
    switches = switches.with_columns(pl.Series("label", components(switches.height, *ends)))
    with_ends = _cable_ends(design, cables, switches.select("device", "label", "sku"))
    require(NAMES, [with_ends["a_id"], with_ends["b_id"]])
    return list(_split(design, fabric, switches, with_ends))


def _cable_ends(design: Design, cables: pl.DataFrame, switches: pl.DataFrame) -> pl.DataFrame:
    """`cables` with ids, names and port numbers of both ends; an adapter is a node with one port."""
    host = pl.col("a_tier") == HOST
    skus = pl.DataFrame(
        [(sku, part.ports.gbps) for sku, part in design.switches.items()], schema=["sku", "port_gbps"], orient="row"
    )
    far = switches.rename({"device": "b_device"}).join(skus, on="sku", how="left", maintain_order="left")
    ended = cables.join(far, on="b_device", maintain_order="left")
    joined = pl.concat_str("a_device", pl.lit(":"), "a_port")
    spoken = pl.concat_str("a_device", pl.lit(" "), "a_port")
    return ended.with_columns(
        pl.when(host).then(joined).otherwise("a_device").alias("a_id"),
        pl.when(host).then(spoken).otherwise("a_device").alias("a_name"),
        pl.when(host).then(pl.lit(1)).otherwise("a_number").alias("a_at"),
        pl.col("b_device").alias("b_id"),
        pl.col("b_device").alias("b_name"),
        pl.col("b_number").alias("b_at"),
    )


def _split(design: Design, fabric: str, switches: pl.DataFrame, with_ends: pl.DataFrame) -> Iterator[SubnetPlan]:
    labels = switches["label"].unique(maintain_order=True).to_list()
    managers = design.devices.filter(pl.col("role") == "ufm").select("device").with_columns(manager=pl.lit(0))
    sizes = pl.DataFrame(
        [(sku, _count(design, sku)) for sku in switches["sku"].unique()], schema=["sku", "size"], orient="row"
    )
    highest = pl.concat(
        [with_ends.select(pl.col(f"{end}_id").alias("device"), pl.col(f"{end}_at").alias("high")) for end in ("a", "b")]
    ).group_by("device").agg(pl.col("high").max())  # fmt: skip
    sized = switches.join(sizes, on="sku", how="left", maintain_order="left")
    sized = sized.join(highest, on="device", how="left", maintain_order="left")
    sized = sized.with_columns(pl.max_horizontal("size", "high").alias("count"))
    for label in labels:
        mine = sized.filter(pl.col("label") == label)
        cables = with_ends.filter(pl.col("label") == label)
        hosts = cables.filter(pl.col("a_tier") == HOST)
        adapters = hosts.select(id="a_id", name="a_name", device="a_device", port="a_port")
        adapters = adapters.join(managers, on="device", how="left", maintain_order="left")
        adapters = adapters.sort("manager", nulls_last=True, maintain_order=True).drop("manager")
        name = fabric if len(labels) == 1 else _TIER.sub("", mine["device"][0])
        yield SubnetPlan(name, cables, mine.select("device", "count"), adapters)


def _count(design: Design, sku: str) -> int:
    part = design.switches[sku]
    return part.ports.count + (part.uplinks.count if part.uplinks else 0)
