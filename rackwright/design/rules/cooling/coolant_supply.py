"""The coolant reaches every liquid-cooled part cold enough.

Each part is compared with the highest supply temperature its vendor states; equal parts are judged once.
"""

from __future__ import annotations

import polars as pl

from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.model.design import Design


def judge(design: Design) -> Judged:
    """Per liquid-cooled SKU."""
    liquid = design.site.facility.liquid
    if liquid is None:
        return
    needs = [(sku, part.liquid) for sku, part in design.servers.items()]
    needs += [(sku, part.liquid) for sku, part in design.switches.items()]
    counts = dict(design.devices.group_by("sku").len().select("sku", pl.col("len")).iter_rows())
    for sku, need in needs:
        if need is None or sku not in counts:
            continue
        observed = f"coolant at {liquid.supply_celsius:g} °C"
        expected = f"at most {need.max_supply_celsius:g} °C"
        says = f"{sku} ({counts[sku]} of them) gets {observed}"
        good = liquid.supply_celsius <= need.max_supply_celsius
        step = f"lower facility.liquid.supply_celsius to {need.max_supply_celsius:g} or less"
        yield sku, finding(good, observed, expected, f"SKU {sku} liquid.max_supply_celsius", says, step)


RULE = DesignRule("coolant_supply", "Coolant is cold enough for every part", judge)
