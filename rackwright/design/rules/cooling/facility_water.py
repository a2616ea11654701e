"""The temperatures at every kind of CDU: facility water of a known W class, and a supply temperature the CDU can hold.

Without ``facility.liquid.facility_water`` the approach is an assumption, so the rule is inconclusive and reports the warmest water that the
assumption allows. Classes W17 to W+ are those of ASHRAE TC 9.9.
"""

from __future__ import annotations

from rackwright.catalog import water_classes
from rackwright.design.cooling.capacity import approach_kelvin
from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.model.design import Design
from rackwright.model.facility import Liquid
from rackwright.model.plant import Cdu
from rackwright.model.verdict import Finding, Outcome


def judge(design: Design) -> Judged:
    """Per CDU SKU."""
    liquid = design.site.facility.liquid
    for sku in dict.fromkeys(units.sku for units in liquid.cdus) if liquid else ():
        part = design.plant_parts[sku]
        assert liquid is not None
        assert isinstance(part, Cdu)
        yield sku, _cdu_finding(liquid, part)


def _cdu_finding(liquid: Liquid, part: Cdu) -> Finding:
    approach = approach_kelvin(liquid)
    water, supply = liquid.supply_celsius - approach, liquid.supply_celsius
    cls = water_classes.load().of(water).name
    low, high = part.min_supply_celsius, part.max_supply_celsius
    inside = (low is None or supply >= low) and (high is None or supply <= high) and approach > 0
    observed = f"coolant at {supply:g} °C over water at {water:g} °C ({cls})"
    if liquid.facility_water is None and inside:
        return _assumed(liquid, part, approach, cls)
    limits = ([] if low is None else [f"from {low:g} °C"]) + ([] if high is None else [f"up to {high:g} °C"])
    expected = f"coolant {' '.join(limits)} over colder water" if limits else "colder water than the coolant"
    step = "change facility.liquid.supply_celsius, or choose another CDU"
    return finding(inside, observed, expected, f"SKU {part.sku}", f"{part.sku} holds {observed}", step)


def _assumed(liquid: Liquid, part: Cdu, approach: float, cls: str) -> Finding:
    expected = f"facility water of at most {liquid.supply_celsius - approach:g} °C ({cls})"
    observed = f"coolant at {liquid.supply_celsius:g} °C, facility water not declared"
    source = "water_classes practice"
    says = f"{part.sku} is counted at an approach of {approach:g} K, which asks for {expected}; none is declared ({source})."
    return Finding(
        outcome=Outcome.INCONCLUSIVE,
        observed=observed,
        expected=expected,
        source=source,
        says=says,
        next_step="declare facility.liquid.facility_water with supply_celsius and delta_t_kelvin",
    )


RULE = DesignRule("facility_water", "CDUs get water they can work with", judge)
