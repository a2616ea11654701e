"""What stands in a rack is not heavier than rack and floor carry. The rack's own weight is in neither number."""

from __future__ import annotations

from rackwright.design.rules.rule import Judged, Rule, finding
from rackwright.model.design import Design


def judge(design: Design) -> Judged:
    """Per rack."""
    floor = {hall.name: hall.floor_load_kg_per_rack for hall in design.site.facility.halls}
    for row in design.racks.iter_rows(named=True):
        part = design.rack_parts[row["sku"]]
        limits = ((part.max_weight_kg, f"SKU {part.sku}"), (float(floor[row["hall"]]), f"site hall {row['hall']}"))
        most, source = min(limits)
        observed, expected = f"{row['weight_kg']:g} kg of equipment", f"at most {most:g} kg"
        says = f"Rack {row['rack']} carries {observed}"
        yield row["rack"], finding(row["weight_kg"] <= most, observed, expected, source, says)


RULE = Rule("rack_weight", "Rack and floor carry the equipment", judge)
