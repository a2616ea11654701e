"""What feeds and cools the machines of a stack, as Pulumi declares it; pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rackwright.model.design import Design
from rackwright.model.equipment import CoolantUnit, Equipment, equipment
from rackwright.model.resource import DeclaredPlant
from rackwright.redfish.plant_wire import unit_to_wire


@dataclass(frozen=True)
class PlantPlan:
    """The plant around some machines."""

    racks: Mapping[str, DeclaredPlant]
    """Rack -> its PDUs and power shelves."""
    cdus: Mapping[str, DeclaredPlant]
    """CDU -> itself."""
    around: Mapping[str, tuple[str, ...]]
    """Machine -> its rack, and the CDUs that cool it; nothing where the site reads neither."""


def plan(design: Design, nodes: Sequence[str]) -> PlantPlan:
    """The plant around `nodes`: what the site manages by Redfish."""
    content = [str(folder) for folder in design.roots[1:]]
    in_racks: dict[str, list[Equipment]] = defaultdict(list)
    cdus: dict[str, Equipment] = {}
    for unit in equipment(design, nodes):
        if isinstance(unit, CoolantUnit):
            cdus[unit.name] = unit
        else:
            in_racks[unit.place].append(unit)
    halls = dict(design.racks.select("rack", "hall").iter_rows())
    wet = dict(design.racks.select("rack", "liquid_watts").iter_rows())
    around = {}
    for name in nodes:
        rack = design.node(name).rack
        cooled = [cdu.name for cdu in cdus.values() if wet[rack] and cdu.place == halls[rack]]
        around[name] = (*([rack] if rack in in_racks else []), *cooled)
    return PlantPlan(
        {rack: _declared(rack, units, content) for rack, units in in_racks.items()},
        {name: _declared(name, [unit], content) for name, unit in cdus.items()},
        around,
    )


def _declared(place: str, units: Sequence[Equipment], content: list[str]) -> DeclaredPlant:
    return DeclaredPlant(place=place, units=[unit_to_wire(unit) for unit in units], content=content)
