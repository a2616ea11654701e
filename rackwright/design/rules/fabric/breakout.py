"""Every split port is split in a way that its switch, or its adapter, can do, and its links run at a rate of the port."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.model import lanes
from rackwright.model.design import Design
from rackwright.model.sku import PortGroup, Switch


def judge(design: Design) -> Judged:
    """Per fabric and switch: how its ports are split, and the rates of their links."""
    ends = design.plugs.filter(pl.col("part").is_in(list(design.switches)) & (pl.col("role") != "management"))
    key = ["fabric", "part", "role", "split", "gbps"]
    by_switch: dict[tuple[str, str], list[str]] = {}
    ways: dict[tuple[str, str], list[str]] = {}
    for row in ends.select(key).unique().sort(key).iter_rows(named=True):
        target = (row["fabric"], row["part"])
        by_switch.setdefault(target, []).extend(_wrong(design.switches[row["part"]], row))
        ways.setdefault(target, []).append(f"{row['split']} x {row['gbps']} Gb/s")
    for (fabric, sku), wrong in by_switch.items():
        observed = "; ".join(wrong) or ", ".join(dict.fromkeys(ways[fabric, sku]))
        says = f"Ports of {sku} in {fabric}: {observed}"
        step = f"set link_gbps of {fabric}, or choose a switch whose ports can be split so"
        groups = _groups(design.switches[sku])
        expected = "breakouts " + "; ".join(_breakouts(group) for group in groups.values())
        source = f"SKU {sku} " + ", ".join(f"{name}.breakouts" for name in groups)
        yield f"{fabric} {sku}", finding(not wrong, observed, expected, source, says, step)


def _groups(switch: Switch) -> dict[str, PortGroup]:
    """Groups of ports that lead to hosts or other switches; those that cannot be split only where they lead upwards beside ports that can."""
    split_up = switch.uplinks is not None and switch.uplinks.breakouts != [1]
    return {"ports": switch.ports} | ({"uplinks": switch.uplinks} if split_up and switch.uplinks else {})


def _breakouts(group: PortGroup) -> str:
    return ", ".join(map(str, group.breakouts)) + f" of {group.gbps} Gb/s"


def _wrong(switch: Switch, row: dict[str, Any]) -> Iterator[str]:
    group: PortGroup = switch.uplinks if row["role"] == "up" and switch.uplinks else switch.ports
    split, gbps = row["split"], row["gbps"]
    if split not in group.breakouts:
        yield f"ports of {group.gbps} Gb/s are split into {split}"
    if gbps not in lanes.speeds(group) or split * gbps > group.gbps:
        yield f"{split} links of {gbps} Gb/s come out of a port of {group.gbps} Gb/s"


RULE = DesignRule("breakout", "Ports are split as their switch can", judge)
