"""Supplies, leak detectors, draw and event logs from Redfish documents. Pure, as `inventory`, which calls it.

A resource that the BMC does not have gives None, never an empty list: nothing was read, so nothing may be concluded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rackwright.model.evidence.bmc import Detector, Heard, LogEntry, Sensor, Supply
from rackwright.redfish.resources import leak_detector, log_entry
from rackwright.redfish.resources.chassis import Chassis
from rackwright.redfish.resources.links import link, links, members
from rackwright.redfish.resources.manager import ManagerResource
from rackwright.redfish.resources.port import Port
from rackwright.redfish.resources.power_limit import PowerLimit
from rackwright.redfish.resources.power_supply import PowerSupply
from rackwright.redfish.resources.status import Status
from rackwright.redfish.resources.text_members import word

View = Mapping[str, Mapping[str, Any]]
MORE = "Members@odata.nextLink"
FANS = frozenset({"Rotational", "AirFlow"})
"""Kinds of sensors of a fan; Lenovo XCC gives the speed of fans as AirFlow."""
EVENT_LOGS = (
    "SEL", "Sel", "EventLog", "IML", "IEL", "Log", "Log1", "PlatformLog", "ActiveLog", "XID",
)  # fmt: skip
"""Names of event logs: NVIDIA and OpenBMC, Dell, AMI, HPE, Supermicro, Lenovo, and of GPUs under their chassis (NVIDIA/libredfish, tests/mockups)."""


def power_supplies(documents: View, chassis: Sequence[Chassis]) -> list[PowerSupply]:
    """Every power supply that is there."""
    fitted = []
    for unit in chassis:
        listed = members(documents, link(documents.get(unit.power_subsystem) or {}, "PowerSupplies"))
        older = (documents.get(unit.power) or {}).get("PowerSupplies")
        fitted += [PowerSupply.of(document) for document in listed or (older if isinstance(older, list) else [])]
    return [supply for supply in fitted if supply.status.present]


def supplies(units: Sequence[PowerSupply], sensors: Sequence[Sensor]) -> list[Supply]:
    """The records of power supplies. One that says nothing of itself is as good as the power that a sensor of its name measures."""
    records = []
    for unit, measured in zip(units, _measured_watts(units, sensors), strict=True):
        watts = max(measured, default=None) if unit.status.silent else None
        status = unit.status if watts is None else Status("Enabled", "OK" if watts > 0 else "Warning", "")
        fed = unit.input or ("Normal" if watts else "")
        records.append(Supply.unvalidated(name=unit.name, health=status.health, state=status.state, input=fed))
    return records


def detectors(documents: View, chassis: Sequence[Chassis]) -> list[Detector] | None:
    """Every leak detector that is there, those that were not read without a state; None when no chassis offers leak detection."""
    ways = [link(documents.get(unit.thermal_subsystem) or {}, "LeakDetection") for unit in chassis]
    offered = [documents[way] for way in ways if way in documents]
    return [record for detection in offered for record in leak_records(documents, detection)] if offered else None


def leak_records(documents: View, detection: Mapping[str, Any]) -> Iterator[Detector]:
    """The detectors of a LeakDetection: those of its collection, and of its groups those that the collection lacks."""
    collection = link(detection, "LeakDetectors")
    listed = links(documents.get(collection) or {}, "Members")
    for path in listed:
        # One that is listed and was not read is there, and says nothing.
        unread = {"Id": path.rpartition("/")[2]}
        yield from _present(leak_detector.LeakDetectorResource.of(documents.get(path) or unread))
    groups = detection.get("LeakDetectorGroups")
    for group in groups if isinstance(groups, list) else []:
        entries = group.get("Detectors") if isinstance(group, Mapping) else None
        for excerpt in entries if isinstance(entries, list) else []:
            if isinstance(excerpt, Mapping) and word(excerpt, "DataSourceUri") not in listed:
                yield from _present(leak_detector.LeakDetectorResource.of_excerpt(excerpt))


def _present(read: leak_detector.LeakDetectorResource) -> Iterator[Detector]:
    if read.status.present:
        yield Detector.unvalidated(
            name=read.name, state=read.state, health=read.status.health, reaction=read.reaction,
            warning_reaction=read.warning_reaction, reaction_delay_seconds=read.delay_seconds,
        )  # fmt: skip


def power(documents: View, chassis: Sequence[Chassis], drawn: float | None) -> PowerLimit:
    """Draw and limit of the first chassis that says either; `drawn` is what all supplies deliver together, for one that does not say its draw."""
    for unit in chassis:
        older = documents.get(unit.power) or {}
        controls = older.get("PowerControl") or []
        if drawn is not None and controls and controls[0].get("PowerConsumedWatts") is None:
            older = {**older, "PowerControl": [{**controls[0], "PowerConsumedWatts": drawn}]}
        limit = PowerLimit.of(documents.get(unit.environment) or {}, older)
        if limit.watts is not None or limit.is_reported:
            return limit
    return PowerLimit(drawn, None, is_reported=False)


def drawn_watts(units: Sequence[PowerSupply], sensors: Sequence[Sensor]) -> float | None:
    """What the sensors named after the power supplies measure together; None unless each has one."""
    measured = _measured_watts(units, sensors)
    return sum(watts[0] for watts in measured) if measured and all(measured) else None


def _measured_watts(units: Sequence[PowerSupply], sensors: Sequence[Sensor]) -> list[list[float]]:
    """For each supply: what the power sensors read whose names end with its own; a supply without a path has none."""
    named = [(reading.name.upper(), reading.reading) for reading in sensors if reading.kind == "Power"]
    identities = [unit.path.rpartition("/")[2].upper() for unit in units]
    return [
        [watts for name, watts in named if identity and watts is not None and name.endswith(f"_{identity}")]
        for identity in identities
    ]


def redundancy(documents: View, chassis: Sequence[Chassis]) -> str | None:
    """Health of the group of power supplies; None where no chassis has such a group."""
    for unit in chassis:
        groups = (documents.get(unit.power_subsystem) or {}).get("PowerSupplyRedundancy")
        older = (documents.get(unit.power) or {}).get("Redundancy")
        for group in (*(groups if isinstance(groups, list) else ()), *(older if isinstance(older, list) else ())):
            if health := Status.of(group).health:
                return health
    return None


def own_ports(documents: View, managers: Sequence[ManagerResource]) -> dict[str, Heard | None] | None:
    """The ports of the BMC itself, each with what it hears by LLDP; None when it does not list them."""
    listed = [manager.ports for manager in managers if manager.ports in documents]
    ports = [Port.of(document) for path in listed for document in members(documents, path)]
    heard = {port.identity: Heard(system=port.heard[0], port=port.heard[1]) if port.heard else None for port in ports}
    return heard or None


def event_logs(documents: View, services: Sequence[str]) -> Iterator[str]:
    """Paths of the entries of every event log among the log services at `services`."""
    for collection in services:
        for service in members(documents, collection):
            if word(service, "Id") in EVENT_LOGS and link(service, "Entries"):
                yield link(service, "Entries")


def log(documents: View, services: Sequence[str]) -> tuple[list[LogEntry] | None, bool]:
    """Entries of the event logs, and whether that is all of them; None when there is no log that could be read."""
    paths = [path for path in event_logs(documents, services) if path in documents]
    # The logs of GPUs list entries of the log of their baseboard again.
    listed = {id(member): member for path in paths for member in members(documents, path)}
    entries = [log_entry.LogEntryResource.of(member) for member in listed.values()]
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
    return MORE not in listing and listed == len(members(documents, path)) and (count is None or count == listed)
