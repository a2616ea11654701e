"""What the controller of a CDU of the twin says."""

from __future__ import annotations

import json
from typing import Any

from rackwright.model.design import Design
from rackwright.model.equipment import CoolantUnit
from rackwright.model.evidence.bmc import Detector
from rackwright.model.evidence.plant import Connector, CoolantReading, Pump, Reservoir
from rackwright.twin.hardware.parts.plant import CduReadings
from rackwright.twin.hardware.state import State
from rackwright.twin.tools import Silent
from rackwright.twin.tools.rack_pdu import who

WATER_SHARE = 0.9
"""Flow of the facility water beside that of the coolant."""
PRESSURE_SHARE = 0.7
"""Pressure that the racks take, of what the CDU can give at its full flow."""
Document = dict[str, Any]
ROOT = "/redfish/v1"
CDU = f"{ROOT}/ThermalEquipment/CDUs/1"


def observe(state: State, design: Design, node: str) -> CoolantReading:
    """The CDU called `node`."""
    del design
    unit, cdu = state.plant.units[node], state.plant.cdus[node]
    assert isinstance(unit, CoolantUnit), f"{node} is no CDU"
    if cdu.silent:
        raise Silent(f"the controller of {node} does not answer: look at its network cable and its power")
    return CoolantReading(
        unit=who(node, unit.part.manufacturer, unit.part.model, cdu.health),
        primary=[_water(unit, cdu)],
        secondary=[_loop(unit, cdu)],
        pumps=[_pump(number, cdu) for number in range(1, unit.part.pumps + 1)],
        reservoirs=[Reservoir(name="Reservoir 1", level_percent=cdu.level_percent, status=cdu.level)],
        leak_detectors=_detectors(node, unit, cdu),
        unread=0,
    )


def _water(unit: CoolantUnit, cdu: CduReadings) -> Connector:
    declared = unit.liquid.facility_water
    supply = declared.supply_celsius if declared else unit.liquid.supply_celsius
    rise = declared.delta_t_kelvin if declared else 0.0
    flow = round(unit.flow_liters_per_minute * WATER_SHARE, 1)
    return Connector(
        name="Facility water",
        supply_celsius=round(supply + cdu.water_kelvin, 1),
        return_celsius=round(supply + cdu.water_kelvin + rise, 1),
        liters_per_minute=flow,
        pressure_kpa=None,
    )


def _loop(unit: CoolantUnit, cdu: CduReadings) -> Connector:
    supply = round(unit.liquid.supply_celsius + cdu.supply_kelvin, 1)
    needed = unit.pressure_kpa if unit.pressure_kpa is not None else unit.part.pressure_kpa * PRESSURE_SHARE
    return Connector(
        name="Coolant",
        supply_celsius=supply,
        return_celsius=round(supply + unit.liquid.delta_t_kelvin, 1),
        liters_per_minute=round(unit.flow_liters_per_minute * cdu.flow_share, 1),
        pressure_kpa=round(needed * cdu.pressure_share, 1),
    )


def _pump(number: int, cdu: CduReadings) -> Pump:
    failed = number in cdu.failed_pumps
    return Pump(
        name=f"Pump {number}",
        state="UnavailableOffline" if failed else "Enabled",
        health="Critical" if failed else "OK",
        speed_percent=0.0 if failed else 55.0,
    )


def _detectors(node: str, unit: CoolantUnit, cdu: CduReadings) -> list[Detector]:
    places = [f"{node} base", *(name for name in unit.detectors if name not in cdu.lost_detectors)]
    return [
        Detector(
            name=f"Leak detector {place}",
            state="Critical" if place in cdu.wet else "OK",
            health="Critical" if place in cdu.wet else "OK",
            reaction=cdu.reaction or unit.liquid.leak_reaction or "",
            warning_reaction=cdu.warning_reaction or unit.liquid.leak_warning_reaction or "",
            reaction_delay_seconds=unit.liquid.leak_reaction_delay_seconds
            if cdu.reaction_delay_seconds is None
            else cdu.reaction_delay_seconds,
        )
        for place in places
    ]


def render(record: CoolantReading) -> bytes:
    """The documents that the collector parses to `record`; what is None is left out."""
    documents = [*_service(), _unit(record)]
    for name, members in _lists(record).items():
        documents += _list(f"{CDU}/{name}", members, record.unread if name == "Pumps" else 0)
    if record.leak_detectors is not None:
        path = f"{CDU}/LeakDetection"
        documents.append(
            {"@odata.id": path, "Id": "LeakDetection", "LeakDetectors": {"@odata.id": f"{path}/LeakDetectors"}}
        )
        documents += _list(f"{path}/LeakDetectors", [_detector(detector) for detector in record.leak_detectors], 0)
    return json.dumps({detector["@odata.id"]: detector for detector in documents}, sort_keys=True).encode()


def _lists(record: CoolantReading) -> dict[str, list[Document] | None]:
    return {
        "PrimaryCoolantConnectors": None if record.primary is None else [_connector(part) for part in record.primary],
        "SecondaryCoolantConnectors": None
        if record.secondary is None
        else [_connector(part) for part in record.secondary],
        "Pumps": None if record.pumps is None else [_pump_document(part) for part in record.pumps],
        "Reservoirs": None if record.reservoirs is None else [_reservoir(part) for part in record.reservoirs],
    }


def _service() -> list[Document]:
    thermal = f"{ROOT}/ThermalEquipment"
    root = {
        "@odata.id": f"{ROOT}/", "@odata.type": "#ServiceRoot.v1_17_0.ServiceRoot", "Id": "RootService", "Name": "Root Service",
        "ThermalEquipment": {"@odata.id": thermal}, "Links": {"Sessions": {"@odata.id": f"{ROOT}/SessionService/Sessions"}},
    }  # fmt: skip
    kind = "#ThermalEquipment.v1_2_0.ThermalEquipment"
    service = {
        "@odata.id": thermal,
        "@odata.type": kind,
        "Id": "ThermalEquipment",
        "CDUs": {"@odata.id": f"{thermal}/CDUs"},
    }
    return [root, service, _collection(f"{thermal}/CDUs", [CDU])]


def _unit(record: CoolantReading) -> Document:
    parts = {**_lists(record), "LeakDetection": record.leak_detectors}
    return {
        "@odata.id": CDU, "@odata.type": "#CoolingUnit.v1_3_0.CoolingUnit", "Id": "1", "Name": "CDU", "EquipmentType": "CDU",
        "Manufacturer": record.unit.manufacturer, "Model": record.unit.model, "SerialNumber": record.unit.serial,
        "FirmwareVersion": record.unit.firmware, "Status": {"State": "Enabled", "Health": record.unit.health},
        **{name: {"@odata.id": f"{CDU}/{name}"} for name, part in parts.items() if part is not None},
    }  # fmt: skip


def _list(path: str, members: list[Document] | None, unread: int) -> list[Document]:
    if members is None:
        return []
    entries = [{**entry, "@odata.id": f"{path}/{at}", "Id": str(at)} for at, entry in enumerate(members, start=1)]
    return [
        _collection(
            path, [*(entry["@odata.id"] for entry in entries), *(f"{path}/unread{at}" for at in range(unread))]
        ),
        *entries,
    ]


def _collection(path: str, paths: list[str]) -> Document:
    return {
        "@odata.id": path,
        "Members": [{"@odata.id": member} for member in paths],
        "Members@odata.count": len(paths),
    }


def _connector(connector: Connector) -> Document:
    readings = {
        "SupplyTemperatureCelsius": connector.supply_celsius, "ReturnTemperatureCelsius": connector.return_celsius,
        "FlowLitersPerMinute": connector.liters_per_minute, "DeltaPressurekPa": connector.pressure_kpa,
    }  # fmt: skip
    return {"@odata.type": "#CoolantConnector.v1_2_0.CoolantConnector", "Name": connector.name, **_excerpts(readings)}


def _pump_document(pump: Pump) -> Document:
    status = {"State": pump.state, "Health": pump.health}
    return {
        "@odata.type": "#Pump.v1_3_0.Pump",
        "Name": pump.name,
        "Status": status,
        **_excerpts({"PumpSpeedPercent": pump.speed_percent}),
    }


def _reservoir(reservoir: Reservoir) -> Document:
    level = _excerpts({"FluidLevelPercent": reservoir.level_percent})
    return {
        "@odata.type": "#Reservoir.v1_0_3.Reservoir",
        "Name": reservoir.name,
        "FluidLevelStatus": reservoir.status or None,
        **level,
    }


def _detector(detector: Detector) -> Document:
    status = {"State": "Enabled", "Health": detector.health}
    return {
        "@odata.type": "#LeakDetector.v1_4_0.LeakDetector",
        "Name": detector.name,
        "DetectorState": detector.state,
        **_reactions(detector),
        "Status": status,
    }


def _reactions(detector: Detector) -> Document:
    """What it does and when, as the detectors of an NVLink switch tray have it (NVIDIA/infra-controller, health tests: LeakDetector.v1_4_0)."""
    members = {
        "CriticalReactionType": detector.reaction or None,
        "WarningReactionType": detector.warning_reaction or None,
        "ReactionDelaySeconds": detector.reaction_delay_seconds,
    }
    return {name: value for name, value in members.items() if value is not None}


def _excerpts(readings: dict[str, float | None]) -> Document:
    return {name: {"Reading": value} for name, value in readings.items() if value is not None}
