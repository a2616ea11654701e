"""Writes a CDU as the Redfish documents that its controller gives (DMTF DSP0268: CoolingUnit, CoolantConnector, Pump, Reservoir)."""

import json
from typing import Any

from rackwright.model.evidence.bmc import Detector
from rackwright.model.evidence.plant import Connector, Coolant, Pump, Reservoir

Document = dict[str, Any]
ROOT = "/redfish/v1"
CDU = f"{ROOT}/ThermalEquipment/CDUs/1"


def render(seen: Coolant) -> bytes:
    """The documents whose parse is `seen`; what is None is left out."""
    found = [*_service(), _unit(seen)]
    for name, members in _lists(seen).items():
        found += _list(f"{CDU}/{name}", members, seen.unread if name == "Pumps" else 0)
    if seen.leak_detectors is not None:
        path = f"{CDU}/LeakDetection"
        found.append(
            {"@odata.id": path, "Id": "LeakDetection", "LeakDetectors": {"@odata.id": f"{path}/LeakDetectors"}}
        )
        found += _list(f"{path}/LeakDetectors", [_detector(one) for one in seen.leak_detectors], 0)
    return json.dumps({one["@odata.id"]: one for one in found}, sort_keys=True).encode()


def _lists(seen: Coolant) -> dict[str, list[Document] | None]:
    return {
        "PrimaryCoolantConnectors": None if seen.primary is None else [_connector(one) for one in seen.primary],
        "SecondaryCoolantConnectors": None if seen.secondary is None else [_connector(one) for one in seen.secondary],
        "Pumps": None if seen.pumps is None else [_pump(one) for one in seen.pumps],
        "Reservoirs": None if seen.reservoirs is None else [_reservoir(one) for one in seen.reservoirs],
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


def _unit(seen: Coolant) -> Document:
    parts = {**_lists(seen), "LeakDetection": seen.leak_detectors}
    return {
        "@odata.id": CDU, "@odata.type": "#CoolingUnit.v1_3_0.CoolingUnit", "Id": "1", "Name": "CDU", "EquipmentType": "CDU",
        "Manufacturer": seen.unit.manufacturer, "Model": seen.unit.model, "SerialNumber": seen.unit.serial,
        "FirmwareVersion": seen.unit.firmware, "Status": {"State": "Enabled", "Health": seen.unit.health},
        **{name: {"@odata.id": f"{CDU}/{name}"} for name, part in parts.items() if part is not None},
    }  # fmt: skip


def _list(path: str, members: list[Document] | None, unread: int) -> list[Document]:
    if members is None:
        return []
    own = [{**one, "@odata.id": f"{path}/{at}", "Id": str(at)} for at, one in enumerate(members, start=1)]
    return [
        _collection(path, [*(one["@odata.id"] for one in own), *(f"{path}/unread{at}" for at in range(unread))]),
        *own,
    ]


def _collection(path: str, paths: list[str]) -> Document:
    return {"@odata.id": path, "Members": [{"@odata.id": one} for one in paths], "Members@odata.count": len(paths)}


def _connector(one: Connector) -> Document:
    readings = {
        "SupplyTemperatureCelsius": one.supply_celsius, "ReturnTemperatureCelsius": one.return_celsius,
        "FlowLitersPerMinute": one.liters_per_minute, "DeltaPressurekPa": one.pressure_kpa,
    }  # fmt: skip
    return {"@odata.type": "#CoolantConnector.v1_2_0.CoolantConnector", "Name": one.name, **_excerpts(readings)}


def _pump(one: Pump) -> Document:
    status = {"State": one.state, "Health": one.health}
    return {
        "@odata.type": "#Pump.v1_3_0.Pump",
        "Name": one.name,
        "Status": status,
        **_excerpts({"PumpSpeedPercent": one.speed_percent}),
    }


def _reservoir(one: Reservoir) -> Document:
    level = _excerpts({"FluidLevelPercent": one.level_percent})
    return {
        "@odata.type": "#Reservoir.v1_0_3.Reservoir",
        "Name": one.name,
        "FluidLevelStatus": one.status or None,
        **level,
    }


def _detector(one: Detector) -> Document:
    status = {"State": "Enabled", "Health": one.health}
    return {
        "@odata.type": "#LeakDetector.v1_3_0.LeakDetector",
        "Name": one.name,
        "DetectorState": one.state,
        "Status": status,
    }


def _excerpts(readings: dict[str, float | None]) -> Document:
    return {name: {"Reading": value} for name, value in readings.items() if value is not None}
