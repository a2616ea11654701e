"""Every cable has room to turn between its device and the door of the rack."""

from __future__ import annotations

from typing import Any

import polars as pl

from rackwright.catalog import pathway_practice
from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.model.design import Design
from rackwright.model.schemas import BACKPLANE
from rackwright.model.verdict import Finding, Outcome


def judge(design: Design) -> Judged:
    """Per SKU of device and of rack: the cable that needs most room. Those of devices without a published depth are left to ``rack_depth``."""
    for (device, rack), rows in _plugged(design).group_by("part", "rack_sku", maintain_order=True):
        depth = getattr(design.servers.get(device) or design.switches.get(device), "depth_mm", 0)
        if depth:
            yield f"{device} in {rack}", _finding(design, device, design.rack_parts[rack].depth_mm - depth, rows)


def _plugged(design: Design) -> pl.DataFrame:
    """``part``, ``rack_sku``, ``sku`` of a cable and how many ends of it, in the order of the devices."""
    racks = design.racks.select("rack", rack_sku="sku")
    devices = design.devices.with_row_index("at").select("at", "device", "rack", part="sku").join(racks, on="rack")
    cables = design.cables.filter(pl.col("kind") != BACKPLANE)
    ends = pl.concat([cables.select("sku", device=pl.col(f"{end}_device")) for end in ("a", "b")])
    counted = ends.group_by("device", "sku").len("ends").join(devices, on="device")
    kinds = counted.group_by("part", "rack_sku", "sku").agg(pl.col("ends").sum(), pl.col("at").min())
    return kinds.sort("at", "sku")


def _finding(design: Design, device: str, free: float, rows: pl.DataFrame) -> Finding:
    practice = pathway_practice.load().bend
    room = free - practice.front_millimeters - practice.plug_millimeters
    radius = {sku: design.cable_parts[sku].bend_radius_mm for sku in rows["sku"]}
    stated = [row for row in rows.iter_rows(named=True) if radius[row["sku"]] is not None]
    unknown = sorted(sku for sku, needed in radius.items() if needed is None)
    worst = max(stated, key=lambda row: radius[row["sku"]] or 0.0, default=None)
    if worst is not None and ((needed := radius[worst["sku"]] or 0.0) > room or not unknown):
        return _radius_finding(device, worst, needed, room)
    return Finding(
        outcome=Outcome.INCONCLUSIVE,
        observed="bend radius not published",
        expected=f"at most {room:g} mm",
        source="SKUs of cables",
        says=f"No bend radius is known of {', '.join(unknown)} behind {device}; expected at most {room:g} mm (SKUs of cables).",
        next_step=f"declare {', '.join(unknown)} with bend_radius_mm under catalog in the site",
    )


def _radius_finding(device: str, worst: dict[str, Any], needed: float, room: float) -> Finding:
    observed = f"{needed:g} mm of {worst['sku']}"
    ends = f"{worst['ends']:,} end{'s bend' if worst['ends'] > 1 else ' bends'}"
    says = f"{worst['sku']} behind {device}: {ends} with a radius of {needed:g} mm, the widest of its cables"
    step = f"choose deeper racks, by {needed - room:g} mm or more, or a thinner cable (fibre in place of copper)"
    source = "depth of rack and device, less door and plug"
    return finding(needed <= room, observed, f"at most {room:g} mm", source, says, step)


RULE = DesignRule("bend_radius", "Cables have room to bend behind their devices", judge)
