"""A rack with everything in it is not heavier than the floor carries at one rack place.

The rack's own weight counts. Where the SKU states none, the rule fails only if the content alone is too heavy, and is inconclusive otherwise.
"""

from __future__ import annotations

from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.design.rules.structure.equal_racks import EqualRacks, group_equal_racks
from rackwright.model.design import Design
from rackwright.model.verdict import Finding, Outcome


def judge(design: Design) -> Judged:
    """Per kind of rack; where a rack's own weight is unknown, per hall and rack SKU for the heaviest."""
    floor = {hall.name: hall.floor_load_kg_per_rack for hall in design.site.facility.halls}
    heaviest: dict[tuple[str, str], EqualRacks] = {}
    for kind in group_equal_racks(design):
        rack_weight, most = design.rack_parts[kind.sku].weight_kg, floor[kind.hall]
        if rack_weight or _weight_inside(kind) > most:
            yield kind.rack, _rack_finding(kind, rack_weight, most)
            continue
        heaviest_so_far = heaviest.setdefault((kind.hall, kind.sku), kind)
        heaviest[kind.hall, kind.sku] = max(heaviest_so_far, kind, key=_weight_inside)
    for kind in heaviest.values():
        yield kind.rack, _open(kind, floor[kind.hall])


def _weight_inside(kind: EqualRacks) -> float:
    return round(kind.weight_kg + kind.mounted_kg, 2)


def _rack_finding(kind: EqualRacks, rack_weight: float, most: int) -> Finding:
    weight = round(_weight_inside(kind) + rack_weight, 2)
    observed = f"{weight:g} kg" + (
        f" ({rack_weight:g} kg of it the rack)" if rack_weight else " without its own weight"
    )
    says, expected = f"{kind.named} puts {observed} on the floor", f"at most {most:g} kg"
    step = "lower servers_per_rack of the pool, or spread the load over the floor and raise floor_load_kg_per_rack"
    return finding(weight <= most, observed, expected, f"site hall {kind.hall}", says, step)


def _open(kind: EqualRacks, most: int) -> Finding:
    weight, source = _weight_inside(kind), f"site hall {kind.hall}"
    observed = f"{weight:g} kg without its own weight"
    heavy = f"{kind.named}, the heaviest {kind.sku} of {kind.hall},"
    return Finding(
        outcome=Outcome.INCONCLUSIVE,
        observed=observed,
        expected=f"at most {most:g} kg",
        source=source,
        says=f"{heavy} puts {observed} on a floor for {most:g} kg, and the SKU states no weight_kg ({source}).",
        next_step=f"declare {kind.sku} with weight_kg under catalog in the site; up to {round(most - weight, 2):g} kg pass",
    )


RULE = DesignRule("floor_load", "The floor carries every rack", judge)
