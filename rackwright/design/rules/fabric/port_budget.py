"""Every planned cable has two ports of its own, and every server port of a fabric has a cable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.model.design import Design

NAMED = 3
"""Wrong ports that a sentence names; the others are counted."""
END = ["device", "port"]


def judge(design: Design) -> Judged:
    """Per fabric: ports used twice, cables on ports that do not exist, host ports without a cable."""
    cables, ports = design.cables, design.ports
    ends = pl.concat(
        [cables.select("fabric", pl.col(f"{side}_device").alias("device"), pl.col(f"{side}_port").alias("port"))
         for side in ("a", "b")]
    )  # fmt: skip
    used = ends.group_by(END, maintain_order=True).agg(pl.len().alias("cables"), pl.col("fabric").unique())
    doubled = used.filter(pl.col("cables") > 1).explode("fabric")
    missing = ends.join(ports.select(END), on=END, how="anti")
    free = ports.filter(pl.col("cable").is_null() & pl.col("fabric").is_not_null())
    hosts = free.join(design.node_table.select(pl.col("node").alias("device")), on="device", how="semi")
    wrong = _by_fabric(
        doubled.select("fabric", pl.format("{} {} carries {} cables", "device", "port", "cables").alias("says")),
        missing.select("fabric", pl.format("{} has no port {}", "device", "port").alias("says")),
        hosts.select("fabric", pl.format("{} {} has no cable", "device", "port").alias("says")),
    )
    count, open_ports, idle = (_count_by_switch(frame) for frame in (cables, free, hosts))
    reserved_ports = _count_by_switch(free.filter(pl.col("reserved").is_not_null()))
    for fabric in design.site.fabrics:
        name = fabric.name
        wrong_ports, spare = wrong.get(name, []), open_ports.get(name, 0) - idle.get(name, 0)
        reserved = f", {reserved_ports[name]} of them reserved" if name in reserved_ports else ""
        observed = "; ".join(wrong_ports[:NAMED]) or f"{count.get(name, 0)} cables, {spare} switch ports free{reserved}"
        says = f"Fabric {name}: {observed}" + (
            f" and {len(wrong_ports) - NAMED} more" if len(wrong_ports) > NAMED else ""
        )
        expected = "one cable on every host port and at most one on every switch port"
        step = f"check the pools and the role of {name}: every port of that role must belong to one fabric"
        yield name, finding(not wrong_ports, observed, expected, f"SKU {fabric.switch}", says, step)


def _by_fabric(*frames: pl.DataFrame) -> Mapping[str, Sequence[str]]:
    grouped = pl.concat(frames).group_by("fabric", maintain_order=True).agg("says")
    return dict(grouped.iter_rows())


def _count_by_switch(frame: pl.DataFrame) -> Mapping[str, int]:
    return dict(frame.group_by("fabric").len().iter_rows())


RULE = DesignRule("port_budget", "Ports are enough and none is used twice", judge)
