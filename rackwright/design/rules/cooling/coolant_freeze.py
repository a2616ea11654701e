"""The coolant stays liquid at the coldest place of its loop, the plate that facility water cools.

The margin under that temperature is Dow's for glycol mixtures (``hall_practice.yaml``).
"""

from __future__ import annotations

from rackwright.catalog import hall_practice
from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.model.design import Design
from rackwright.model.plant import Coolant


def judge(design: Design) -> Judged:
    """Per coolant."""
    liquid = design.site.facility.liquid
    part = design.plant_parts.get(liquid.coolant) if liquid else None
    if liquid is None or not isinstance(part, Coolant):
        return
    water, margin = liquid.facility_water, hall_practice.load().freeze_margin_kelvin
    coldest = min([liquid.supply_celsius, *([water.supply_celsius] if water else [])])
    least = part.freezes_at_celsius + margin
    observed = f"{coldest:g} °C at the coldest place"
    expected = f"at least {least:g} °C, {margin:g} K above freezing"
    step = "raise the supply temperatures, or choose a coolant that freezes later"
    says = f"{part.sku} has {observed}"
    yield part.sku, finding(coldest >= least, observed, expected, f"SKU {part.sku} freezes_at_celsius", says, step)


RULE = DesignRule("coolant_freeze", "The coolant does not freeze", judge)
