"""What the controller of a rack PDU of the twin says."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from rackwright.model.design import Design
from rackwright.model.equipment import RackPdu
from rackwright.model.evidence.plant import Outlet, PlantUnit, PowerCircuit, PowerLine, RackPower
from rackwright.twin.hardware.parts.plant import PduReadings
from rackwright.twin.hardware.state import State
from rackwright.twin.tools import Silent, electrical

LINES = ("L1", "L2", "L3")
BRANCHES = 6
"""Breakers of a three-phase PDU of 60 A, two for each line (Raritan PX3-5730)."""
MOST_TO_NEUTRAL = 250.0
"""Outlets take no more, so that a PDU of a higher voltage between lines is wired to neutral."""
Document = dict[str, Any]
ROOT = "/redfish/v1"
PDU = f"{ROOT}/PowerEquipment/RackPDUs/1"
PHASE_NUMBERS = {"L1": "1", "L2": "2", "L3": "3"}


def observe(state: State, design: Design, node: str) -> RackPower:
    """The PDU called `node`."""
    del design
    unit, pdu = state.plant.units[node], state.plant.pdus[node]
    assert isinstance(unit, RackPdu), f"{node} is no rack PDU"
    if pdu.silent:
        raise Silent(f"the controller of {node} does not answer: look at its network cable and its power")
    lines = _lines(unit, pdu)
    alive = sum(line.watts or 0.0 for line in lines.values())
    return RackPower(
        unit=who(node, unit.part.manufacturer, unit.part.model, pdu.health),
        watts=round(alive, 1),
        mains=[_inlet(unit, pdu, lines, alive)],
        branches=[_branch(number, lines, pdu) for number in range(1, BRANCHES + 1)],
        outlets=_outlets(unit, pdu, alive),
        unread=0,
    )


def who(name: str, manufacturer: str, model: str, health: str) -> PlantUnit:
    """The plate of the thing called `name`."""
    serial = hashlib.sha256(name.encode()).hexdigest()[:10].upper()
    return PlantUnit(manufacturer=manufacturer, model=model, serial=serial, firmware="4.3.11", health=health)


def _lines(unit: RackPdu, pdu: PduReadings) -> dict[str, PowerLine]:
    volts = unit.circuit.volts / 3**0.5 if unit.circuit.volts > MOST_TO_NEUTRAL else float(unit.circuit.volts)
    phases = {}
    for line, designed, share in zip(LINES, unit.line_watts, pdu.line_shares, strict=True):
        dead = line in pdu.dead_lines or pdu.volts_share == 0
        watts = 0.0 if dead else round(designed * pdu.load_share * share, 1)
        amps = round(watts / volts / unit.circuit.power_factor, 2)
        phases[line] = PowerLine(amps=amps, volts=0.0 if dead else round(volts * pdu.volts_share, 1), watts=watts)
    return phases


def _inlet(unit: RackPdu, pdu: PduReadings, lines: dict[str, PowerLine], alive: float) -> PowerCircuit:
    """Its rating is that of the circuit after de-rating, as the schema asks (Circuit.v1_8_0, RatedCurrentAmps)."""
    rated = round(unit.circuit.amps * unit.circuit.derating * pdu.rating_share, 1)
    health = "OK" if alive else "Critical"
    return PowerCircuit(
        name="Mains A", breaker="", health=health, lines=lines, rated_amps=rated,
        nominal=electrical.nominal_name(pdu.made_for or unit.circuit.volts),
        wiring=pdu.wiring or electrical.wiring_name(unit.circuit, to_neutral=unit.to_neutral),
    )  # fmt: skip


def _branch(number: int, lines: dict[str, PowerLine], pdu: PduReadings) -> PowerCircuit:
    line = LINES[(number - 1) % len(LINES)]
    tripped = number in pdu.tripped
    phase = lines[line]
    amps = 0.0 if tripped else round((phase.amps or 0.0) * len(LINES) / BRANCHES, 2)
    return PowerCircuit(
        name=f"Branch {number}",
        breaker="Tripped" if tripped else "Normal",
        health="Critical" if tripped else "OK",
        lines={line: PowerLine(amps=amps, volts=0.0 if tripped else phase.volts, watts=None)},
    )


def _outlets(unit: RackPdu, pdu: PduReadings, watts: float) -> list[Outlet]:
    names = [f"{group.type}-{number}" for group in unit.part.outlets for number in range(1, group.count + 1)]
    each = round(watts / unit.cords, 1) if unit.cords else 0.0
    dark = range(pdu.dark_outlets)
    volts = pdu.made_for or unit.circuit.volts
    nominal = electrical.nominal_name(volts / 3**0.5 if unit.to_neutral and unit.circuit.phases > 1 else volts)
    return [
        Outlet(
            name=name,
            state="Off" if at in dark else "On",
            watts=each if at < unit.cords and at not in dark else 0.0,
            nominal=nominal,
        )
        for at, name in enumerate(names)
    ]


def render(record: RackPower) -> bytes:
    """The documents that the collector parses to `record`; what is None is left out."""
    documents = [_root(), _service(), collection(f"{ROOT}/PowerEquipment/RackPDUs", [PDU]), _unit(record)]
    if record.watts is not None:
        documents.append(
            {"@odata.id": f"{PDU}/Metrics", "Id": "Metrics", "Name": "Metrics", "PowerWatts": _excerpt(record.watts)}
        )
    for name, circuits in (("Mains", record.mains), ("Branches", record.branches)):
        documents += _list(
            f"{PDU}/{name}", None if circuits is None else [circuit_document(part) for part in circuits], record
        )
    documents += _list(
        f"{PDU}/Outlets", None if record.outlets is None else [_outlet(part) for part in record.outlets], record
    )
    return json.dumps({part["@odata.id"]: part for part in documents}, sort_keys=True).encode()


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


def _unit(record: RackPower) -> Document:
    offered = {"Mains": record.mains, "Branches": record.branches, "Outlets": record.outlets, "Metrics": record.watts}
    return {
        "@odata.id": PDU, "@odata.type": "#PowerDistribution.v1_4_0.PowerDistribution", "Id": "1", "Name": "Rack PDU",
        "EquipmentType": "RackPDU", **words(record.unit),
        **{name: {"@odata.id": f"{PDU}/{name}"} for name, part in offered.items() if part is not None},
    }  # fmt: skip


def words(unit: PlantUnit) -> Document:
    """Which thing it is."""
    return {
        "Manufacturer": unit.manufacturer, "Model": unit.model, "SerialNumber": unit.serial,
        "FirmwareVersion": unit.firmware, "Status": {"State": "Enabled", "Health": unit.health},
    }  # fmt: skip


def _list(path: str, members: list[Document] | None, record: RackPower) -> list[Document]:
    """A collection and its members; what was listed and not read stands at the end of the outlets."""
    if members is None:
        return []
    entries = [{**entry, "@odata.id": f"{path}/{at}", "Id": str(at)} for at, entry in enumerate(members, start=1)]
    lost = [f"{path}/unread{at}" for at in range(record.unread)] if path.endswith("/Outlets") else []
    return [collection(path, [*(entry["@odata.id"] for entry in entries), *lost]), *entries]


def collection(path: str, paths: list[str]) -> Document:
    """A collection of `paths`."""
    return {
        "@odata.id": path,
        "Members": [{"@odata.id": member} for member in paths],
        "Members@odata.count": len(paths),
    }


def circuit_document(circuit: PowerCircuit) -> Document:
    """An inlet or a branch."""
    return {
        "@odata.type": "#Circuit.v1_8_0.Circuit", "Name": circuit.name, "BreakerState": circuit.breaker or None,
        "Status": {"State": "Enabled", "Health": circuit.health},
        **({} if circuit.rated_amps is None else {"RatedCurrentAmps": circuit.rated_amps}),
        **({"NominalVoltage": circuit.nominal} if circuit.nominal else {}), **({"PhaseWiringType": circuit.wiring} if circuit.wiring else {}),
        "PolyPhaseCurrentAmps": _phases(circuit.lines, "amps", "Line{}"),
        "PolyPhaseVoltage": _phases(circuit.lines, "volts", "Line{}ToNeutral"),
        "PolyPhasePowerWatts": _phases(circuit.lines, "watts", "Line{}ToNeutral"),
    }  # fmt: skip


def _phases(lines: dict[str, PowerLine], field: str, name: str) -> Document:
    values = {number: getattr(lines[line], field) for line, number in PHASE_NUMBERS.items() if line in lines}
    return {name.format(number): _excerpt(value) for number, value in values.items() if value is not None}


def _outlet(outlet: Outlet) -> Document:
    watts = {} if outlet.watts is None else {"PowerWatts": _excerpt(outlet.watts)}
    nominal = {"NominalVoltage": outlet.nominal} if outlet.nominal else {}
    return {
        "@odata.type": "#Outlet.v1_4_5.Outlet",
        "Name": outlet.name,
        "PowerState": outlet.state or None,
        **watts,
        **nominal,
    }


def _excerpt(value: float) -> Document:
    return {"Reading": value}
