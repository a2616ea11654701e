"""Every device leaves room for doors and cables in the depth of its rack; equal pairs of device and rack are judged once.

The required room is that of published racks (``hall_practice.yaml``), front and rear together.
"""

from __future__ import annotations

from rackwright.catalog import hall_practice
from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.model.design import Design
from rackwright.model.sku import Rack, Server, Switch
from rackwright.model.verdict import Finding, Outcome


def judge(design: Design) -> Judged:
    """Per SKU of device and SKU of rack."""
    racks = design.racks.select("rack", rack_sku="sku")
    pairs = design.devices.join(racks, on="rack", maintain_order="left").group_by(
        ["sku", "rack_sku"], maintain_order=True
    )
    for sku, rack, count in pairs.len().iter_rows():
        part = design.servers.get(sku) or design.switches.get(sku)
        if part is not None:
            yield f"{sku} in {rack}", _part_finding(part, design.rack_parts[rack], count)


def _part_finding(part: Server | Switch, rack: Rack, count: int) -> Finding:
    room = hall_practice.load().cable_room_millimeters
    expected = f"at most {rack.depth_mm:g} mm"
    source = f"SKU {rack.sku} depth_mm"
    if not part.depth_mm:
        return Finding(
            outcome=Outcome.INCONCLUSIVE,
            observed="depth not published",
            expected=expected,
            source=source,
            says=f"{part.sku} in {rack.sku} ({count} of them) states no depth; expected {expected} ({source}).",
            next_step=f"measure it, and declare {part.sku} with depth_mm under catalog in the site",
        )
    needs = part.depth_mm + room
    observed = f"{needs:g} mm ({part.depth_mm:g} mm deep, {room:g} mm for doors and cables)"
    step = f"choose racks of at least {needs:g} mm depth for {part.sku}"
    return finding(
        needs <= rack.depth_mm,
        observed,
        expected,
        source,
        f"{part.sku} in {rack.sku} ({count} of them) needs {observed}",
        step,
    )


RULE = DesignRule("rack_depth", "Devices and cables fit into the depth of the rack", judge)
