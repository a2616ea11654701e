"""Temperatures, fans, supplies, draw and limit of a BMC, moved to where a dialect has them. Paths are still those of `documents`."""

from __future__ import annotations

from rackwright.twin.bmc.dialect import Dialect
from rackwright.twin.bmc.dialect_inventory import Documents, members, move
from rackwright.twin.bmc.documents import CHASSIS, Document
from rackwright.twin.hardware.state import TwinMachine

SENSORS, POWER = f"{CHASSIS}/Sensors", f"{CHASSIS}/PowerSubsystem"
VOLTS = 240
"""At the input of a supply that is fed."""
FULL_RPM = 20_000
"""Speed that an iLO calls 100 percent."""


def write_readings(documents: Documents, machine: TwinMachine, dialect: Dialect) -> None:
    """Change the readings in `documents` of `machine` to those of `dialect`."""
    metrics = documents.pop(f"{CHASSIS}/EnvironmentMetrics")
    _sensors(documents, machine, dialect)
    _power(documents, machine, metrics, dialect)


def _sensors(documents: Documents, machine: TwinMachine, dialect: Dialect) -> None:
    rules = dialect.thermal
    sensors = [_named(sensor, dialect) for sensor in members(documents, SENSORS) if sensor["ReadingType"] != "Power"]
    if dialect.power.sensors:
        sensors += [_delivered(machine, number, dialect) for number in range(machine.psus_total)]
    moved = {f"{SENSORS}/{at}": sensor for at, sensor in enumerate(sensors)}
    if rules.place == "thermal":
        moved = {
            f"{SENSORS}/{name}": {"Name": name, "Reading": None, "Status": {"State": "Enabled", "Health": "OK"}}
            for name in rules.sensors
        }
    move(documents, SENSORS, "SensorCollection", moved)
    if not moved:
        documents.pop(SENSORS)
        documents[CHASSIS].pop("Sensors")
    if rules.place in ("thermal", "both"):
        path = f"{CHASSIS}/Thermal"
        documents[CHASSIS]["Thermal"] = {"@odata.id": path}
        documents[path] = {"@odata.id": path, "Id": "Thermal", "Name": "Thermal", **_thermal(sensors, dialect)}


def _named(sensor: Document, dialect: Dialect) -> Document:
    """A sensor with the name, context and kind that the dialect gives it."""
    rules, name = dialect.thermal, str(sensor["Name"])
    if sensor["ReadingType"] == "Temperature":
        inlet = name == "TEMP_INLET"
        context = rules.context if inlet else rules.others
        sensor = {**sensor, "Name": rules.inlet if inlet else name, "PhysicalContext": context}
    else:
        number = int(name.rpartition("_")[2])
        sensor = {
            **sensor,
            "Name": rules.fan.format(n=number),
            "ReadingType": rules.fans,
            "PhysicalContext": rules.others,
        }
    return {key: value for key, value in sensor.items() if not (key == "PhysicalContext" and value is None)}


def _delivered(machine: TwinMachine, number: int, dialect: Dialect) -> Document:
    """Watts that a supply delivers: its share of the draw, 0 if it has failed."""
    good = number < machine.psus_ok and number not in machine.chassis.lost_inputs
    watts = round(machine.chassis.power_watts / max(machine.psus_total, 1), 1) if good else 0
    name = f"PWR_{dialect.power.supply.format(n=number + dialect.power.first)}"
    status = {"State": "Enabled", "Health": "OK"}
    return {"Name": name, "ReadingType": "Power", "Reading": watts, "ReadingUnits": "W", "Status": status}


def _thermal(sensors: list[Document], dialect: Dialect) -> Document:
    temperatures, fans = [], []
    for at, sensor in enumerate(sensors):
        limits = sensor.get("Thresholds") or {}
        entry = {"MemberId": str(at), "Name": sensor["Name"], "Status": sensor["Status"]}
        if context := sensor.get("PhysicalContext"):
            entry["PhysicalContext"] = context
        upper, lower = ((limits.get(name) or {}).get("Reading") for name in ("UpperCritical", "LowerCritical"))
        if sensor["ReadingType"] == "Temperature":
            temperatures.append({**entry, "ReadingCelsius": sensor["Reading"], "UpperThresholdCritical": upper})
        elif dialect.thermal.fans == "Percent":
            fans.append({**entry, "Reading": round(100 * sensor["Reading"] / FULL_RPM), "ReadingUnits": "Percent"})
        elif sensor["ReadingType"] != "Power":
            fans.append({**entry, "Reading": sensor["Reading"], "ReadingUnits": "RPM", "LowerThresholdCritical": lower})
    return {"Temperatures": temperatures, "Fans": fans}


def _power(documents: Documents, machine: TwinMachine, metrics: Document, dialect: Dialect) -> None:
    rules, collection = dialect.power, f"{POWER}/PowerSupplies"
    supplies = [_supply(supply, number, dialect) for number, supply in enumerate(members(documents, collection))]
    group = documents[POWER].pop("PowerSupplyRedundancy")
    moved = {f"{collection}/{rules.supply.format(n=at + rules.first)}": supply for at, supply in enumerate(supplies)}
    if rules.place == "power":
        for path in (collection, POWER, *(supply["@odata.id"] for supply in members(documents, collection))):
            documents.pop(path)
        documents[CHASSIS].pop("PowerSubsystem")
    else:
        move(documents, collection, "PowerSupplyCollection", moved)
        documents[POWER]["PowerSupplyRedundancy"] = group if rules.redundancy == "subsystem" else []
    if "metrics" in (rules.draw, rules.limit):
        documents[f"{CHASSIS}/EnvironmentMetrics"] = _metrics(metrics, dialect)
    else:
        documents[CHASSIS].pop("EnvironmentMetrics")
    if "control" in (rules.draw, rules.limit) or rules.place != "subsystem":
        path = f"{CHASSIS}/Power"
        documents[CHASSIS]["Power"] = {"@odata.id": path}
        older = {} if rules.place == "subsystem" else {"PowerSupplies": supplies}
        redundancy = {"Redundancy": group} if rules.redundancy == "power" and machine.psus_total else {"Redundancy": []}
        documents[path] = {
            "@odata.id": path,
            "Id": "Power",
            "Name": "Power",
            **_drawn(machine, dialect),
            **older,
            **redundancy,
        }


def _supply(supply: Document, number: int, dialect: Dialect) -> Document:
    rules, spoken = dialect.power, dict(supply)
    fed = spoken.pop("LineInputStatus")
    spoken["Name"] = rules.supply.format(n=number + rules.first)
    if rules.input == "line":
        spoken["LineInputStatus"] = fed
    elif rules.input == "voltage":
        spoken["LineInputVoltage"] = VOLTS if fed == "Normal" else 0
    if not rules.status:
        spoken.pop("Status")
    return spoken


def _metrics(metrics: Document, dialect: Dialect) -> Document:
    left_out = {"PowerWatts": dialect.power.draw, "PowerLimitWatts": dialect.power.limit}
    return {name: value for name, value in metrics.items() if left_out.get(name, "metrics") == "metrics"}


def _drawn(machine: TwinMachine, dialect: Dialect) -> Document:
    if dialect.power.draw != "oem":
        return {"PowerControl": [_control(machine, dialect)]}
    return {"PowerControl": [], "Oem": {"Public": {"TotalPower": machine.chassis.power_watts}}}


def _control(machine: TwinMachine, dialect: Dialect) -> Document:
    """``PowerControl``: where a limit is given at all, one that is not set is null."""
    control: Document = {"MemberId": "0", "Name": "System Power Control"}
    if dialect.power.draw == "control":
        control["PowerConsumedWatts"] = machine.chassis.power_watts
    if dialect.power.limit == "control":
        watts = machine.chassis.power_limit_watts
        unset = dialect.power.unset or {"LimitInWatts": None}
        control["PowerLimit"] = dict(unset) if watts is None else {"LimitInWatts": watts}
    return control
