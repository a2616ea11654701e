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
from rackwright.redfish.resources.manager import Manager
from rackwright.redfish.resources.port import Port
from rackwright.redfish.resources.power_limit import PowerLimit
from rackwright.redfish.resources.power_supply import PowerSupply

View = Mapping[str, Mapping[str, Any]]
MORE = "Members@odata.nextLink"
EVENT_LOGS = ("SEL", "Sel", "EventLog", "Event", "IML", "IEL", "Log", "Log1", "ActiveLog")
"""Names of the event log: NVIDIA and OpenBMC, Dell, AMI, HPE, Supermicro, Lenovo (provisioning guides of the makers, read 2026-08)."""


def sensors(documents: View, chassis: Sequence[Chassis]) -> tuple[list[Sensor] | None, int]:
    """Every sensor that is there, and how many are listed but were not read; None when no chassis offers any."""
    found: list[sensor.Sensor] = []
    unread, offered = 0, False
    for one in chassis:
        listed = links(documents.get(one.sensors) or {}, "Members")
        read = members(documents, one.sensors)
        thermal = documents.get(one.thermal) or {}
        offered |= one.sensors in documents or bool(thermal)
        unread += len(listed) - len(read)
        found += [sensor.Sensor.of(document) for document in read]
        if not listed:
            found += [sensor.Sensor.of_temperature(entry) for entry in thermal.get("Temperatures") or []]
            found += [sensor.Sensor.of_fan(entry) for entry in thermal.get("Fans") or []]
    there = [one for one in found if one.status.present and one.status.state != "Disabled"]
    return ([_sensor(one) for one in there] if offered else None), unread


def _sensor(one: sensor.Sensor) -> Sensor:
    return Sensor.made(
        name=one.name,
        kind=one.kind,
        place=one.place,
        reading=one.reading,
        unit=one.unit,
        health=one.status.health,
        lower_critical=one.lower_critical,
        upper_critical=one.upper_critical,
    )


def supply(one: PowerSupply) -> Supply:
    """The record of one power supply."""
    return Supply.made(name=one.name, health=one.status.health, state=one.status.state, input=one.input)


def detectors(documents: View, chassis: Sequence[Chassis]) -> list[Detector] | None:
    """Every leak detector that is there, those that were not read without a state; None when no chassis offers leak detection."""
    found, offered = [], False
    for one in chassis:
        detection = documents.get(link(documents.get(one.thermal_subsystem) or {}, "LeakDetection"))
        if detection is None:
            continue
        offered = True
        collection = link(detection, "LeakDetectors")
        read = map(leak_detector.LeakDetector.of, members(documents, collection))
        found += [
            Detector.made(name=each.name, state=each.state, health=each.status.health)
            for each in read
            if each.status.present
        ]
        listed = links(documents.get(collection) or {}, "Members")
        # One that is listed and was not read is there, and says nothing.
        found += [
            Detector.made(name=path.rpartition("/")[2], state="", health="") for path in listed if path not in documents
        ]
    return found if offered else None


def power(documents: View, chassis: Sequence[Chassis]) -> PowerLimit:
    """Draw and limit of the first chassis that says either."""
    for one in chassis:
        limit = PowerLimit.of(documents.get(one.environment) or {}, documents.get(one.power) or {})
        if limit.watts is not None or limit.known:
            return limit
    return PowerLimit(None, None, known=False)


def redundancy(documents: View, chassis: Sequence[Chassis]) -> str | None:
    """Health of the group of power supplies; None where no chassis has such a group."""
    for one in chassis:
        subsystem = documents.get(one.power_subsystem) or {}
        for group in subsystem.get("PowerSupplyRedundancy") or []:
            return str((group.get("Status") or {}).get("Health") or "") or None
    return None


def own_ports(documents: View, managers: Sequence[Manager]) -> dict[str, Heard | None] | None:
    """The ports of the BMC itself, each with what it hears by LLDP; None when it does not list them."""
    listed = [one.ports for one in managers if one.ports in documents]
    ports = [Port.of(document) for path in listed for document in members(documents, path)]
    heard = {one.identity: Heard(system=one.heard[0], port=one.heard[1]) if one.heard else None for one in ports}
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
    entries = [log_entry.LogEntry.of(one) for path in paths for one in members(documents, path)]
    complete = all(_whole(documents, path) for path in paths)
    found = [
        LogEntry.made(
            identity=e.identity, created=e.created, severity=e.severity, message=e.message, resolved=e.resolved
        )
        for e in entries
    ]
    return (found if paths else None), complete


def _whole(documents: View, path: str) -> bool:
    listing = documents[path]
    listed = len(links(listing, "Members"))
    count = listing.get("Members@odata.count")
    return MORE not in listing and listed == len(members(documents, path)) and count in {None, listed}
