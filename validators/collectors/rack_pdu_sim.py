"""Writes a rack PDU as the Redfish documents that its controller gives (DMTF DSP0268: PowerDistribution, Circuit, Outlet)."""

import json
from typing import Any

from rackwright.model.evidence.plant import Line, Outlet, PowerCircuit, RackPower, Unit

Document = dict[str, Any]
ROOT = "/redfish/v1"
PDU = f"{ROOT}/PowerEquipment/RackPDUs/1"
LINES = {"L1": "1", "L2": "2", "L3": "3"}


def render(seen: RackPower) -> bytes:
    """The documents whose parse is `seen`; what is None is left out."""
    found = [_root(), _service(), _collection(f"{ROOT}/PowerEquipment/RackPDUs", [PDU]), _unit(seen)]
    if seen.watts is not None:
        found.append(
            {"@odata.id": f"{PDU}/Metrics", "Id": "Metrics", "Name": "Metrics", "PowerWatts": _excerpt(seen.watts)}
        )
    for name, circuits in (("Mains", seen.mains), ("Branches", seen.branches)):
        found += _list(f"{PDU}/{name}", None if circuits is None else [_circuit(one) for one in circuits], seen)
    found += _list(f"{PDU}/Outlets", None if seen.outlets is None else [_outlet(one) for one in seen.outlets], seen)
    return json.dumps({one["@odata.id"]: one for one in found}, sort_keys=True).encode()


def _root() -> Document:
    return {
        "@odata.id": f"{ROOT}/", "@odata.type": "#ServiceRoot.v1_17_0.ServiceRoot", "Id": "RootService", "Name": "Root Service",
        "PowerEquipment": {"@odata.id": f"{ROOT}/PowerEquipment"}, "Links": {"Sessions": {"@odata.id": f"{ROOT}/SessionService/Sessions"}},
    }  # fmt: skip


def _service() -> Document:
    path = f"{ROOT}/PowerEquipment"
    kind = "#PowerEquipment.v1_2_2.PowerEquipment"
    return {
        "@odata.id": path,
        "@odata.type": kind,
        "Id": "PowerEquipment",
        "RackPDUs": {"@odata.id": f"{path}/RackPDUs"},
    }


def _unit(seen: RackPower) -> Document:
    offered = {"Mains": seen.mains, "Branches": seen.branches, "Outlets": seen.outlets, "Metrics": seen.watts}
    return {
        "@odata.id": PDU, "@odata.type": "#PowerDistribution.v1_4_0.PowerDistribution", "Id": "1", "Name": "Rack PDU",
        "EquipmentType": "RackPDU", **words(seen.unit),
        **{name: {"@odata.id": f"{PDU}/{name}"} for name, part in offered.items() if part is not None},
    }  # fmt: skip


def words(unit: Unit) -> Document:
    """Which thing it is."""
    return {
        "Manufacturer": unit.manufacturer, "Model": unit.model, "SerialNumber": unit.serial,
        "FirmwareVersion": unit.firmware, "Status": {"State": "Enabled", "Health": unit.health},
    }  # fmt: skip


def _list(path: str, members: list[Document] | None, seen: RackPower) -> list[Document]:
    """A collection and its members; what was listed and not read stands at the end of the outlets."""
    if members is None:
        return []
    own = [{**one, "@odata.id": f"{path}/{at}", "Id": str(at)} for at, one in enumerate(members, start=1)]
    lost = [f"{path}/unread{at}" for at in range(seen.unread)] if path.endswith("/Outlets") else []
    return [_collection(path, [*(one["@odata.id"] for one in own), *lost]), *own]


def _collection(path: str, paths: list[str]) -> Document:
    return {"@odata.id": path, "Members": [{"@odata.id": one} for one in paths], "Members@odata.count": len(paths)}


def _circuit(one: PowerCircuit) -> Document:
    return {
        "@odata.type": "#Circuit.v1_8_0.Circuit", "Name": one.name, "BreakerState": one.breaker or None,
        "Status": {"State": "Enabled", "Health": one.health},
        "PolyPhaseCurrentAmps": _lines(one.lines, "amps", "Line{}"),
        "PolyPhaseVoltage": _lines(one.lines, "volts", "Line{}ToNeutral"),
        "PolyPhasePowerWatts": _lines(one.lines, "watts", "Line{}ToNeutral"),
    }  # fmt: skip


def _lines(lines: dict[str, Line], field: str, name: str) -> Document:
    values = {number: getattr(lines[line], field) for line, number in LINES.items() if line in lines}
    return {name.format(number): _excerpt(value) for number, value in values.items() if value is not None}


def _outlet(one: Outlet) -> Document:
    watts = {} if one.watts is None else {"PowerWatts": _excerpt(one.watts)}
    return {"@odata.type": "#Outlet.v1_4_5.Outlet", "Name": one.name, "PowerState": one.state or None, **watts}


def _excerpt(value: float) -> Document:
    return {"Reading": value}
