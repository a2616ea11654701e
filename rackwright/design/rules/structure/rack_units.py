"""The devices of a rack fit between its lowest and its highest unit; power shelves use rack units too."""

from __future__ import annotations

from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.design.rules.structure.equal_racks import EqualRacks, group_equal_racks
from rackwright.model.design import Design


def judge(design: Design) -> Judged:
    """Per kind of rack."""
    for kind in group_equal_racks(design):
        height = kind.rack_units
        used = sum(row["rack_units"] for row in kind.devices) + kind.shelf_units
        wrong = _devices_outside(kind)
        shelves = f" and {kind.shelf_units}U of power shelves" if kind.shelf_units else ""
        observed = f"{used}U in {len(kind.devices)} devices{shelves}"
        observed += f"; outside: {', '.join(wrong[:3])}" if wrong else ""
        expected = f"at most {height}U, from U1 to U{height}"
        step = "lower servers_per_rack of the pool, or choose a higher rack"
        good = not wrong and used <= height
        yield kind.rack, finding(good, observed, expected, f"SKU {kind.sku}", f"{kind.named} holds {observed}", step)


def _devices_outside(kind: EqualRacks) -> list[str]:
    beyond = [row for row in kind.devices if row["unit"] < 1 or row["unit"] + row["rack_units"] - 1 > kind.rack_units]
    return [f"{row['device']} at U{row['unit']}" for row in beyond]


RULE = DesignRule("rack_units", "Devices fit into their racks", judge)
