"""No two devices share a rack unit."""

from __future__ import annotations

from collections import defaultdict

from rackwright.design.rules.rule import Judged, Rule, finding
from rackwright.model.design import Design


def judge(design: Design) -> Judged:
    """Per rack."""
    holders: dict[str, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    for row in design.devices.iter_rows(named=True):
        for unit in range(row["unit"], row["unit"] + row["rack_units"]):
            holders[row["rack"]][unit].append(row["device"])
    for rack in design.racks["rack"]:
        shared = [f"U{unit}: {' and '.join(names)}" for unit, names in holders[rack].items() if len(names) > 1]
        observed = "; ".join(shared[:3]) or f"{len(holders[rack])} units taken once each"
        source = "SKU rack_units of the devices"
        yield rack, finding(not shared, observed, "one device per rack unit", source, f"Rack {rack}: {observed}")


RULE = Rule("rack_overlap", "No two devices share a rack unit", judge)
