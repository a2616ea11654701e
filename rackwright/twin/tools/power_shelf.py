"""What the controller of a power shelf of the twin reports, in the documents of the usage guide of the OCP power shelf profile 0.9.0.

Outputs that are on are reported as LITE-ON does: ``PowerState`` of the supply is a truth value.
"""

from __future__ import annotations

import json
from typing import Any

from rackwright.compare import plant
from rackwright.model.design import Design
from rackwright.model.equipment import ShelfUnit
from rackwright.model.evidence.plant import PowerCircuit, PowerLine, Rectifier, ShelfPower
from rackwright.twin.hardware.parts.plant import ShelfReadings
from rackwright.twin.hardware.state import State
from rackwright.twin.tools import Silent, electrical
from rackwright.twin.tools.rack_pdu import circuit_document, collection, who, words

Document = dict[str, Any]
ROOT = "/redfish/v1"
SHELF, CHASSIS = f"{ROOT}/PowerEquipment/PowerShelves/1", f"{ROOT}/Chassis/PowerShelf"
POWER = f"{CHASSIS}/PowerSubsystem"
SUPPLIES = f"{POWER}/PowerSupplies"


def observe(state: State, design: Design, node: str) -> ShelfPower:
    """The power shelf called `node`."""
    del design
    unit, shelf = state.plant.units[node], state.plant.shelves[node]
    assert isinstance(unit, ShelfUnit), f"{node} is no power shelf"
    if shelf.silent:
        raise Silent(f"the controller of {node} does not answer: look at its network cable and its power")
    numbers = [number for number in range(1, unit.part.psus + 1) if number not in shelf.missing]
    working = [number for number in numbers if number not in (*shelf.failed, *shelf.off)]
    watts = round(unit.load_watts * shelf.load_share, 1) if shelf.volts_share and working else 0.0
    volts = round(plant.nominal_volts(unit.circuit)[1] * shelf.volts_share, 1)
    fed = "OK" if volts else "Critical"
    return ShelfPower(
        unit=who(node, unit.part.manufacturer, unit.part.model, "OK" if not shelf.failed and volts else "Critical"),
        watts=watts,
        mains=[PowerCircuit(name="Mains AC1", breaker="", health=fed, lines={"L1": PowerLine(amps=None, volts=volts, watts=watts)},
                            nominal=electrical.nominal_name((shelf.made_for or unit.circuit.volts) / plant.TO_NEUTRAL), wiring="OnePhase3Wire")],
        rectifiers=[_rectifier(number, shelf, volts, watts / len(working) if number in working else 0.0, unit.part.watts_each) for number in numbers],
        redundancy="Critical" if len(shelf.failed) > unit.spare else "OK",
        unread=0,
        needed=shelf.needed or unit.part.psus - unit.spare,
    )  # fmt: skip


def _rectifier(number: int, shelf: ShelfReadings, volts: float, watts: float, rated: float) -> Rectifier:
    failed = number in shelf.failed
    return Rectifier(
        name=f"Power Supply {number}",
        state="UnavailableOffline" if failed else "Enabled",
        health="Critical" if failed else "OK",
        switched_on=number not in shelf.off,
        input="Normal" if volts else "LossOfInput",
        input_volts=volts,
        output_watts=round(watts, 1),
        capacity_watts=rated * shelf.capacity_share,
    )


def render(record: ShelfPower) -> bytes:
    """The documents that the collector parses to `record`; what is None is left out."""
    documents = [*_roots(record), _shelf(record), *_chassis(record)]
    if record.watts is not None:
        documents.append({"@odata.id": f"{SHELF}/Metrics", "Id": "Metrics", "PowerWatts": {"Reading": record.watts}})
    if record.mains is not None:
        mains = [{**circuit_document(part), "@odata.id": f"{SHELF}/Mains/{at}"} for at, part in enumerate(record.mains)]
        documents += [collection(f"{SHELF}/Mains", [part["@odata.id"] for part in mains]), *mains]
    return json.dumps({part["@odata.id"]: part for part in documents}, sort_keys=True).encode()


def _roots(record: ShelfPower) -> list[Document]:
    equipment = f"{ROOT}/PowerEquipment"
    links = {name: {"@odata.id": f"{ROOT}/{name}"} for name in ("PowerEquipment", "Chassis")}
    return [
        {"@odata.id": f"{ROOT}/", "Id": "RootService", "Name": "Root Service", **links,
         "Links": {"Sessions": {"@odata.id": f"{ROOT}/SessionService/Sessions"}}},
        {"@odata.id": equipment, "Id": "PowerEquipment", "PowerShelves": {"@odata.id": f"{equipment}/PowerShelves"}},
        collection(f"{equipment}/PowerShelves", [SHELF]),
        collection(f"{ROOT}/Chassis", [CHASSIS]),
        {"@odata.id": CHASSIS, "Id": "PowerShelf", "ChassisType": "Shelf", "Manufacturer": record.unit.manufacturer,
         "PowerSubsystem": {"@odata.id": POWER}},
    ]  # fmt: skip


def _shelf(record: ShelfPower) -> Document:
    offered = {"Mains": record.mains, "Metrics": record.watts}
    return {
        "@odata.id": SHELF, "@odata.type": "#PowerDistribution.v1_3_2.PowerDistribution", "Id": "1", "Name": "Power Shelf 1",
        "EquipmentType": "PowerShelf", **words(record.unit), "Links": {"Chassis": [{"@odata.id": CHASSIS}]},
        **{name: {"@odata.id": f"{SHELF}/{name}"} for name, part in offered.items() if part is not None},
    }  # fmt: skip


def _chassis(record: ShelfPower) -> list[Document]:
    needed = {} if record.needed is None else {"MinNeededInGroup": record.needed}
    group = {"RedundancyType": "NPlusM", **needed, "Status": {"State": "Enabled", "Health": record.redundancy}}
    subsystem = {
        "@odata.id": POWER, "Id": "PowerSubsystem", "PowerSupplies": {"@odata.id": SUPPLIES},
        "PowerSupplyRedundancy": [group] if record.redundancy else [],
    }  # fmt: skip
    if record.rectifiers is None:
        return [subsystem]
    paths = [f"{SUPPLIES}/{at}" for at in range(len(record.rectifiers))]
    lost = [f"{SUPPLIES}/unread{at}" for at in range(record.unread)]
    listed = [part for path, unit in zip(paths, record.rectifiers, strict=True) for part in _supply(path, unit)]
    return [subsystem, collection(SUPPLIES, [*paths, *lost]), *listed]


def _supply(path: str, unit: Rectifier) -> list[Document]:
    readings = {"InputVoltage": unit.input_volts, "OutputPowerWatts": unit.output_watts}
    metrics = {name: {"Reading": value} for name, value in readings.items() if value is not None}
    supply = {
        "@odata.id": path, "@odata.type": "#PowerSupply.v1_5_2.PowerSupply", "Name": unit.name, "Metrics": {"@odata.id": f"{path}/Metrics"},
        "Status": {"State": unit.state, "Health": unit.health},
        **({} if unit.capacity_watts is None else {"PowerCapacityWatts": unit.capacity_watts}),
        **({} if unit.switched_on is None else {"PowerState": unit.switched_on}), **({"LineInputStatus": unit.input} if unit.input else {}),
    }  # fmt: skip
    return [supply, {"@odata.id": f"{path}/Metrics", "Id": "Metrics", **metrics}]
