"""No two devices share a rack unit."""

from __future__ import annotations

from collections import defaultdict

from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.design.rules.structure.equal_racks import group_equal_racks
from rackwright.model.design import Design


def judge(design: Design) -> Judged:
    """Per kind of rack."""
    for kind in group_equal_racks(design):
        holders: dict[int, list[str]] = defaultdict(list)
        for row in kind.devices:
            for unit in range(row["unit"], row["unit"] + row["rack_units"]):
                holders[unit].append(row["device"])
        shared = [f"U{unit}: {' and '.join(names)}" for unit, names in holders.items() if len(names) > 1]
        observed = "; ".join(shared[:3]) or f"{len(holders)} units taken once each"
        source = "SKU rack_units of the devices"
        step = "lower servers_per_rack of the pool, or choose a higher rack"
        says = f"{kind.named}: {observed}"
        yield kind.rack, finding(not shared, observed, "one device per rack unit", source, says, step)


RULE = DesignRule("rack_overlap", "No two devices share a rack unit", judge)
