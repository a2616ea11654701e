"""What the controller of a CDU of the twin says."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.equipment import CoolantUnit
from rackwright.model.evidence.bmc import Detector
from rackwright.model.evidence.plant import Connector, Coolant, Pump, Reservoir
from rackwright.twin.hardware.parts.plant import Cdu
from rackwright.twin.hardware.state import State
from rackwright.twin.tools import Silent
from rackwright.twin.tools.rack_pdu import who

WATER_SHARE = 0.9
"""Flow of the facility water beside that of the coolant."""
PRESSURE_SHARE = 0.7
"""Pressure that the racks take, of what the CDU can give at its full flow."""


def observe(state: State, design: Design, node: str) -> Coolant:
    """The CDU called `node`."""
    del design
    unit, seen = state.plant.units[node], state.plant.cdus[node]
    assert isinstance(unit, CoolantUnit), f"{node} is no CDU"
    if seen.silent:
        raise Silent(f"the controller of {node} does not answer: look at its network cable and its power")
    return Coolant(
        unit=who(node, unit.part.manufacturer, unit.part.model, seen.health),
        primary=[_water(unit, seen)],
        secondary=[_loop(unit, seen)],
        pumps=[_pump(number, seen) for number in range(1, unit.part.pumps + 1)],
        reservoirs=[Reservoir(name="Reservoir 1", level_percent=seen.level_percent, status=seen.level)],
        leak_detectors=_detectors(node, unit, seen),
        unread=0,
    )


def _water(unit: CoolantUnit, seen: Cdu) -> Connector:
    declared = unit.liquid.facility_water
    supply = declared.supply_celsius if declared else unit.liquid.supply_celsius
    rise = declared.delta_t_kelvin if declared else 0.0
    flow = round(unit.flow_liters_per_minute * WATER_SHARE, 1)
    return Connector(
        name="Facility water",
        supply_celsius=round(supply + seen.water_kelvin, 1),
        return_celsius=round(supply + seen.water_kelvin + rise, 1),
        liters_per_minute=flow,
        pressure_kpa=None,
    )


def _loop(unit: CoolantUnit, seen: Cdu) -> Connector:
    supply = round(unit.liquid.supply_celsius + seen.supply_kelvin, 1)
    needed = unit.pressure_kpa if unit.pressure_kpa is not None else unit.part.pressure_kpa * PRESSURE_SHARE
    return Connector(
        name="Coolant",
        supply_celsius=supply,
        return_celsius=round(supply + unit.liquid.delta_t_kelvin, 1),
        liters_per_minute=round(unit.flow_liters_per_minute * seen.flow_share, 1),
        pressure_kpa=round(needed * seen.pressure_share, 1),
    )


def _pump(number: int, seen: Cdu) -> Pump:
    failed = number in seen.failed_pumps
    return Pump(
        name=f"Pump {number}",
        state="UnavailableOffline" if failed else "Enabled",
        health="Critical" if failed else "OK",
        speed_percent=0.0 if failed else 55.0,
    )


def _detectors(node: str, unit: CoolantUnit, seen: Cdu) -> list[Detector]:
    places = [f"{node} base", *(one for one in unit.detectors if one not in seen.lost_detectors)]
    return [
        Detector(
            name=f"Leak detector {place}",
            state="Critical" if place in seen.wet else "OK",
            health="Critical" if place in seen.wet else "OK",
        )
        for place in places
    ]
