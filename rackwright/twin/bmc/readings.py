"""Redfish documents of the readings of one simulated BMC: sensors, leak detectors, power draw, event log."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rackwright.twin.hardware.state import TwinMachine

Document = dict[str, Any]
FAN_LEAST_RPM = 500.0
INLET_MOST_CELSIUS = 45.0
CPU_MOST_CELSIUS = 100.0


def build_documents(machine: TwinMachine, chassis: str, system: str) -> Iterator[Document]:
    """All documents with readings of the chassis and the event log of the system."""
    yield from _sensors(machine, f"{chassis}/Sensors")
    yield from _thermal(machine, f"{chassis}/ThermalSubsystem")
    yield _environment(machine, f"{chassis}/EnvironmentMetrics")
    yield from _log(machine, f"{system}/LogServices")


def _sensors(machine: TwinMachine, path: str) -> Iterator[Document]:
    parts = machine.chassis
    sensors = [
        _sensor(machine, "TEMP_INLET", "Temperature", "Intake", parts.inlet_celsius, "Cel", upper=INLET_MOST_CELSIUS),
        *(
            _sensor(
                machine, f"TEMP_CPU{number}", "Temperature", "CPU", parts.cpu_celsius, "Cel", upper=CPU_MOST_CELSIUS
            )
            for number in range(machine.cpu_count)
        ),
        *(
            _sensor(machine, f"FAN_{number}", "Rotational", "Fan", speed, "RPM", lower=FAN_LEAST_RPM)
            for number, speed in enumerate(parts.fans)
        ),
        _sensor(machine, "PWR_TOTAL", "Power", "Chassis", parts.power_watts, "W"),
    ]
    yield _collection(path, "SensorCollection", [f"{path}/{sensor['Id']}" for sensor in sensors])
    yield from ({**sensor, "@odata.id": f"{path}/{sensor['Id']}"} for sensor in sensors)


def _sensor(
    machine: TwinMachine, name: str, kind: str, place: str, reading: float, unit: str,
    *, lower: float | None = None, upper: float | None = None,
) -> Document:  # fmt: skip
    beyond = (lower is not None and reading < lower) or (upper is not None and reading > upper)
    health = "Critical" if beyond or name in machine.chassis.unhealthy_sensors else "OK"
    limits = {"LowerCritical": lower, "UpperCritical": upper}
    return {
        "@odata.type": "#Sensor.v1_9_0.Sensor", "Id": name, "Name": name, "ReadingType": kind, "PhysicalContext": place,
        "Reading": reading, "ReadingUnits": unit, "Status": {"State": "Enabled", "Health": health},
        "Thresholds": {key: {"Reading": value} for key, value in limits.items() if value is not None},
    }  # fmt: skip


def _thermal(machine: TwinMachine, path: str) -> Iterator[Document]:
    detection = {"LeakDetection": {"@odata.id": f"{path}/LeakDetection"}} if machine.chassis.detectors else {}
    yield {
        "@odata.id": path, "@odata.type": "#ThermalSubsystem.v1_3_2.ThermalSubsystem", "Id": "ThermalSubsystem",
        "Name": "Thermal", "Status": {"State": "Enabled", "Health": "OK"}, **detection,
    }  # fmt: skip
    if not detection:
        return
    listing = f"{path}/LeakDetection/LeakDetectors"
    numbers = range(machine.chassis.detectors)
    yield {
        "@odata.id": f"{path}/LeakDetection", "@odata.type": "#LeakDetection.v1_1_0.LeakDetection", "Id": "LeakDetection",
        "Name": "Leaks", "LeakDetectors": {"@odata.id": listing},
    }  # fmt: skip
    yield _collection(listing, "LeakDetectorCollection", [f"{listing}/{number}" for number in numbers])
    for number in numbers:
        wet = number in machine.chassis.leaking
        yield {
            "@odata.id": f"{listing}/{number}", "@odata.type": "#LeakDetector.v1_3_0.LeakDetector", "Id": str(number),
            "Name": f"Leak detector {number}", "LeakDetectorType": "Moisture",
            "DetectorState": "Critical" if wet else "OK",
            "Status": {"State": "Enabled", "Health": "Critical" if wet else "OK"},
        }  # fmt: skip


def _environment(machine: TwinMachine, path: str) -> Document:
    limit = machine.chassis.power_limit_watts
    control = {"SetPoint": limit, "ControlMode": "Disabled" if limit is None else "Manual"}
    return {
        "@odata.id": path, "@odata.type": "#EnvironmentMetrics.v1_4_0.EnvironmentMetrics", "Id": "EnvironmentMetrics",
        "Name": "Environment", "PowerWatts": {"Reading": machine.chassis.power_watts}, "PowerLimitWatts": control,
    }  # fmt: skip


def _log(machine: TwinMachine, path: str) -> Iterator[Document]:
    entries = f"{path}/SEL/Entries"
    yield _collection(path, "LogServiceCollection", [f"{path}/SEL"])
    yield {
        "@odata.id": f"{path}/SEL", "@odata.type": "#LogService.v1_7_0.LogService", "Id": "SEL", "Name": "System Event Log",
        "LogEntryType": "SEL", "Entries": {"@odata.id": entries},
    }  # fmt: skip
    lines = list(enumerate(machine.chassis.log, start=1))
    yield _collection(entries, "LogEntryCollection", [f"{entries}/{number}" for number, _ in lines])
    for number, line in lines:
        yield {
            "@odata.id": f"{entries}/{number}", "@odata.type": "#LogEntry.v1_16_0.LogEntry", "Id": str(number),
            "Name": f"Log entry {number}", "EntryType": "SEL", "Severity": line.severity, "Created": line.created,
            "Message": line.message, "Resolved": line.resolved,
        }  # fmt: skip


def _collection(path: str, kind: str, members: list[str]) -> Document:
    links = [{"@odata.id": member} for member in members]
    return {
        "@odata.id": path, "@odata.type": f"#{kind}.{kind}", "Name": kind, "Members": links,
        "Members@odata.count": len(links),
    }  # fmt: skip
