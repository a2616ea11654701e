"""No device is heavier than the rack units that bear it."""

from __future__ import annotations

from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.design.rules.structure.equal_racks import EqualRacks, group_equal_racks
from rackwright.model.design import Design
from rackwright.model.sku import Server, Switch


def judge(design: Design) -> Judged:
    """Per kind of rack whose SKU states what a unit bears: its heaviest device for its height."""
    parts: dict[str, Server | Switch] = {**design.servers, **design.switches}
    weights = {sku: part.weight_kg for sku, part in parts.items()}
    for kind in group_equal_racks(design):
        most = design.rack_parts[kind.sku].max_kg_per_unit
        name, each = _heaviest(kind, weights)
        if most is None or not name:
            continue
        observed = f"{each:.1f} kg a rack unit of {name}"
        says = f"{kind.named} bears {observed}, its heaviest device for its height"
        step = "take a rack, or rails, that bear more"
        yield (
            kind.rack,
            finding(each <= most, observed, f"at most {most:g} kg", f"SKU {kind.sku} max_kg_per_unit", says, step),
        )


def _heaviest(kind: EqualRacks, weights: dict[str, float]) -> tuple[str, float]:
    each = [(weights[row["sku"]] / row["rack_units"], row["device"]) for row in kind.devices if row["sku"] in weights]
    kilograms, name = max(each, default=(0.0, ""))
    return name, kilograms


RULE = DesignRule("unit_weight", "Rack units bear their devices", judge)
