"""The equipment in a rack is not heavier than the rack carries; the rack's own weight is not part of that limit."""

from __future__ import annotations

from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.design.rules.structure.equal_racks import group_equal_racks
from rackwright.model.design import Design


def judge(design: Design) -> Judged:
    """Per kind of rack."""
    for kind in group_equal_racks(design):
        most = design.rack_parts[kind.sku].max_weight_kg
        weight = round(kind.weight_kg + kind.mounted_kg, 2)
        observed = f"{weight:g} kg" + (f", {kind.mounted_kg:g} kg of it power" if kind.mounted_kg else " of equipment")
        says, expected = f"{kind.named} carries {observed}", f"at most {most:g} kg"
        step = "lower servers_per_rack of the pool, or choose a stronger rack"
        yield kind.rack, finding(weight <= most, observed, expected, f"SKU {kind.sku} max_weight_kg", says, step)


RULE = DesignRule("rack_weight", "Racks carry their equipment", judge)
