"""Sensors, supplies, leak detectors, draw and event log from Redfish documents. Pure, as `inventory`, which calls it.

A resource that the BMC does not
have gives None, never an empty list: nothing was read, so nothing may be concluded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rackwright.model.evidence.bmc import Detector, Heard, LogEntry, Sensor, Supply
from rackwright.redfish.resources import leak_detector, log_entry, sensor
from rackwright.redfish.resources.chassis import Chassis
from rackwright.redfish.resources.links import link, links, members
from rackwright.redfish.resources.manager import ManagerResource
from rackwright.redfish.resources.port import Port
from rackwright.redfish.resources.power_limit import PowerLimit
from rackwright.redfish.resources.power_supply import PowerSupply

View = Mapping[str, Mapping[str, Any]]
MORE = "Members@odata.nextLink"
EVENT_LOGS = ("SEL", "Sel", "EventLog", "Event", "IML", "IEL", "Log", "Log1", "ActiveLog")
"""Names of the event log: NVIDIA and OpenBMC, Dell, AMI, HPE, Supermicro, Lenovo (provisioning guides of the makers, read 2026-08)."""


def sensors(documents: View, chassis: Sequence[Chassis]) -> tuple[list[Sensor] | None, int]:
    """Every sensor that is there, and how many are listed but were not read; None when no chassis offers any."""
    readings: list[sensor.SensorResource] = []
    unread, offered = 0, False
    for unit in chassis:
        listed = links(documents.get(unit.sensors) or {}, "Members")
        read = members(documents, unit.sensors)
        thermal = documents.get(unit.thermal) or {}
        offered |= unit.sensors in documents or bool(thermal)
        unread += len(listed) - len(read)
        readings += [sensor.SensorResource.of(document) for document in read]
        if not listed:
            readings += [sensor.SensorResource.of_temperature(entry) for entry in thermal.get("Temperatures") or []]
            readings += [sensor.SensorResource.of_fan(entry) for entry in thermal.get("Fans") or []]
    present = [reading for reading in readings if reading.status.present and reading.status.state != "Disabled"]
    return ([_sensor(sensor_) for sensor_ in present] if offered else None), unread


def _sensor(reading: sensor.SensorResource) -> Sensor:
    return Sensor.unvalidated(
        name=reading.name,
        kind=reading.kind,
        place=reading.place,
        reading=reading.reading,
        unit=reading.unit,
        health=reading.status.health,
        lower_critical=reading.lower_critical,
        upper_critical=reading.upper_critical,
    )


def supply(unit: PowerSupply) -> Supply:
    """The record of one power supply."""
    return Supply.unvalidated(name=unit.name, health=unit.status.health, state=unit.status.state, input=unit.input)


def detectors(documents: View, chassis: Sequence[Chassis]) -> list[Detector] | None:
    """Every leak detector that is there, those that were not read without a state; None when no chassis offers leak detection."""
    fitted, offered = [], False
    for unit in chassis:
        detection = documents.get(link(documents.get(unit.thermal_subsystem) or {}, "LeakDetection"))
        if detection is None:
            continue
        offered = True
        collection = link(detection, "LeakDetectors")
        read = map(leak_detector.LeakDetectorResource.of, members(documents, collection))
        fitted += [
            Detector.unvalidated(name=each.name, state=each.state, health=each.status.health)
            for each in read
            if each.status.present
        ]
        listed = links(documents.get(collection) or {}, "Members")
        # One that is listed and was not read is there, and says nothing.
        fitted += [
            Detector.unvalidated(name=path.rpartition("/")[2], state="", health="")
            for path in listed
            if path not in documents
        ]
    return fitted if offered else None


def power(documents: View, chassis: Sequence[Chassis]) -> PowerLimit:
    """Draw and limit of the first chassis that says either."""
    for unit in chassis:
        limit = PowerLimit.of(documents.get(unit.environment) or {}, documents.get(unit.power) or {})
        if limit.watts is not None or limit.is_reported:
            return limit
    return PowerLimit(None, None, is_reported=False)


def redundancy(documents: View, chassis: Sequence[Chassis]) -> str | None:
    """Health of the group of power supplies; None where no chassis has such a group."""
    for unit in chassis:
        subsystem = documents.get(unit.power_subsystem) or {}
        for group in subsystem.get("PowerSupplyRedundancy") or []:
            return str((group.get("Status") or {}).get("Health") or "") or None
    return None


def own_ports(documents: View, managers: Sequence[ManagerResource]) -> dict[str, Heard | None] | None:
    """The ports of the BMC itself, each with what it hears by LLDP; None when it does not list them."""
    listed = [manager.ports for manager in managers if manager.ports in documents]
    ports = [Port.of(document) for path in listed for document in members(documents, path)]
    heard = {port.identity: Heard(system=port.heard[0], port=port.heard[1]) if port.heard else None for port in ports}
    return heard if listed else None


def event_logs(documents: View, services: Sequence[str]) -> Iterator[str]:
    """Paths of the entries of every event log among the log services at `services`."""
    for collection in services:
        for service in members(documents, collection):
            if str(service.get("Id") or "") in EVENT_LOGS and link(service, "Entries"):
                yield link(service, "Entries")


def log(documents: View, services: Sequence[str]) -> tuple[list[LogEntry] | None, bool]:
    """Entries of the event logs, and whether that is all of them; None when there is no log that could be read."""
    paths = [path for path in event_logs(documents, services) if path in documents]
    entries = [log_entry.LogEntryResource.of(member) for path in paths for member in members(documents, path)]
    complete = all(_is_complete(documents, path) for path in paths)
    events = [
        LogEntry.unvalidated(
            identity=e.identity, created=e.created, severity=e.severity, message=e.message, resolved=e.resolved
        )
        for e in entries
    ]
    return (events if paths else None), complete


def _is_complete(documents: View, path: str) -> bool:
    listing = documents[path]
    listed = len(links(listing, "Members"))
    count = listing.get("Members@odata.count")
    return MORE not in listing and listed == len(members(documents, path)) and count in {None, listed}
