"""Every planned cable has two ports of its own, and every server port of a fabric has a cable."""

from __future__ import annotations

from collections import Counter

import polars as pl

from rackwright.design.rules.rule import Judged, Rule, finding
from rackwright.model.design import Design


def judge(design: Design) -> Judged:
    """Per fabric: ports used twice, cables on ports that do not exist, host ports left open."""
    cables, ports = design.cables, design.ports
    near = zip(cables["a_device"], cables["a_port"], strict=True)
    far = zip(cables["b_device"], cables["b_port"], strict=True)
    used = Counter([*near, *far])
    known = set(zip(ports["device"], ports["port"], strict=True))
    hosts = set(design.node_table["node"])
    for fabric in design.site.fabrics:
        mine = cables.filter(pl.col("fabric") == fabric.name)
        ends = [(r[f"{s}_device"], r[f"{s}_port"]) for r in mine.iter_rows(named=True) for s in ("a", "b")]
        wrong = [f"{end[0]} {end[1]} carries {used[end]} cables" for end in dict.fromkeys(ends) if used[end] > 1]
        wrong += [f"{device} has no port {port}" for device, port in ends if (device, port) not in known]
        rows = ports.filter(pl.col("fabric") == fabric.name).iter_rows(named=True)
        open_ports = [(row["device"], row["port"]) for row in rows if row["cable"] is None]
        wrong += [f"{device} {port} has no cable" for device, port in open_ports if device in hosts]
        free = sum(device not in hosts for device, _ in open_ports)
        observed = "; ".join(wrong[:3]) or f"{len(mine)} cables, {free} switch ports free"
        says = f"Fabric {fabric.name}: {observed}" + (f" and {len(wrong) - 3} more" if len(wrong) > 3 else "")
        expected = "one cable on every host port and at most one on every switch port"
        yield fabric.name, finding(not wrong, observed, expected, f"SKU {fabric.switch}", says)


RULE = Rule("port_budget", "Ports are enough and none is used twice", judge)
