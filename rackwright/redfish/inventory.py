"""Evidence from Redfish documents: `parse_machine` is pure and works on stored documents as well as on fresh ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from rackwright.base.errors import OutsideError
from rackwright.model.evidence.bmc import BmcEvidence, NicPort, Supply
from rackwright.redfish import readings, sensors, unread
from rackwright.redfish.resources.chassis import Chassis
from rackwright.redfish.resources.links import link, members
from rackwright.redfish.resources.manager import ManagerResource
from rackwright.redfish.resources.network_adapter import NetworkAdapter
from rackwright.redfish.resources.port import Port
from rackwright.redfish.resources.processor import Processor
from rackwright.redfish.resources.service_root import SERVICE_ROOT, ServiceRoot
from rackwright.redfish.resources.system import System, hosts
from rackwright.redfish.resources.text_members import word

PARTS = {"Component", "Module", "Card", "Blade", "Zone"}
"""Types of a chassis that is a part of a machine."""
View = Mapping[str, Mapping[str, Any]]
BIOS = re.compile(r"(?i)(host_?)?(bios|uefi)(_?0)?")
"""Ids of the BIOS in a firmware inventory: ``UEFI`` (GB200), ``HostBIOS_0`` (DGX H100), ``BIOS`` (Supermicro)."""


def parse_machine(documents: View) -> BmcEvidence:
    """The record of one machine from its Redfish documents (path -> document).

    Raises OutsideError when no document describes a host system.
    """
    readable, lost = unread.sound(documents)
    read_at = word(documents.get(unread.READ_AT) or {}, "managers")
    root = ServiceRoot.of(readable.get(SERVICE_ROOT) or {})
    system = _host(readable, root, lost)
    housings, chassis = _chassis(readable, root, system)
    managers = [ManagerResource.of(document) for document in members(readable, root.managers)]
    processors = list(_processors(readable, root, chassis))
    logs = [system.log_services, *(unit.log_services for unit in managers), *(unit.log_services for unit in chassis)]
    read, not_read = sensors.sensors(readable, chassis)
    supplies = readings.power_supplies(readable, chassis)
    records = readings.supplies(supplies, read or ())
    log, complete = readings.log(readable, [path for path in logs if path])
    power = readings.power(readable, housings, readings.drawn_watts(supplies, read or ()))
    plate = _plate(system, housings)
    return BmcEvidence(
        manufacturer=plate[0],
        model=plate[1],
        serial=plate[2],
        power_state=system.power_state,
        bios_version=system.bios_version or _bios(readable, root),
        bmc_version=_firmware(managers, system),
        health=system.status.rollup or system.status.health,
        cpu_count=system.cpu_count or sum(unit.kind == "CPU" and unit.status.present for unit in processors),
        memory_gib=_memory(readable, root, system),
        gpu_models=[unit.model for unit in processors if unit.kind == "GPU" and unit.status.present],
        nic_ports=list(_nic_ports(readable, chassis)),
        psus_ok=sum(_works(record) for record in records),
        psus_total=len(records),
        boot_override=system.boot_override if system.boot_enabled else "",
        own_ports=readings.own_ports(readable, managers),
        sensors=read,
        sensors_unread=not_read,
        supplies=records or None,
        leak_detectors=readings.detectors(readable, chassis),
        log=log,
        log_complete=complete,
        power_watts=power.watts,
        power_limit_watts=power.limit_watts,
        power_limit_known=power.is_reported,
        psu_redundancy=readings.redundancy(readable, chassis),
        unread=unread.by_part(lost),
        read_at=read_at,
        clock_offset_seconds=_clock_offset(_own_manager(managers, system), read_at),
    )


def host_system(documents: View) -> System:
    """The system that an operating system runs on; OutsideError when the documents hold none, or several."""
    documents, _ = unread.sound(documents)
    return _host(documents, ServiceRoot.of(documents.get(SERVICE_ROOT) or {}), {})


def _host(documents: View, root: ServiceRoot, lost: Mapping[str, str]) -> System:
    """The system that an operating system runs on; one that says nothing where its document was not read."""
    systems = hosts([System.of(document) for document in members(documents, root.systems)])
    if not systems and root.systems and any(path.startswith(root.systems) for path in lost):
        return System.of({})
    if not systems:
        raise OutsideError("the BMC lists no computer system: reset it or update its firmware, then run again")
    if len(systems) > 1:
        paths = ", ".join(document.path for document in systems)
        raise OutsideError(f"the BMC manages several machines ({paths}): give the address of the one machine's own BMC")
    return systems[0]


def housings(documents: View) -> list[Chassis]:
    """The chassis of the machine as a whole, the one with its plate first."""
    readable, _ = unread.sound(documents)
    return _chassis(readable, ServiceRoot.of(readable.get(SERVICE_ROOT) or {}), host_system(documents))[0]


def _chassis(documents: View, root: ServiceRoot, system: System) -> tuple[list[Chassis], list[Chassis]]:
    """The chassis of the machine as a whole, the one with its plate first, and every chassis.

    A chassis that holds another system alone, a baseboard of accelerators, has a power limit and a plate of its own.
    """
    chassis = [Chassis.of(document) for document in members(documents, root.chassis)]
    housings = [unit for unit in chassis if system.path in unit.systems]
    housings = housings or [unit for unit in chassis if not unit.systems]
    return sorted(housings, key=lambda unit: unit.kind in PARTS), chassis


def _plate(system: System, housings: Sequence[Chassis]) -> tuple[str, str, str]:
    """Manufacturer, model and serial number: of the system, else of the chassis that holds it (GB200, GH200). Dell's serial is its service tag."""
    if not system.path:
        return "", "", ""
    serial = system.sku if system.manufacturer.startswith("Dell") and system.sku else system.serial
    housing = next((unit for unit in housings if unit.model and unit.serial), None)
    if housing is None:
        return system.manufacturer, system.model, serial
    return system.manufacturer or housing.manufacturer, system.model or housing.model, serial or housing.serial


def _memory(documents: View, root: ServiceRoot, system: System) -> float:
    """GiB of the host, else of the only system that counts any: memory of Grace is on the baseboard."""
    if system.memory_gib:
        return system.memory_gib
    return sum(System.of(document).memory_gib for document in members(documents, root.systems))


def _processors(documents: View, root: ServiceRoot, chassis: Sequence[Chassis]) -> Iterator[Processor]:
    """Processors of all systems, and accelerators that stand among the PCIe devices of a chassis instead."""
    listed = [
        Processor.of(document)
        for system in members(documents, root.systems)
        for document in members(documents, link(system, "Processors"))
    ]
    yield from listed
    if not any(unit.kind == "GPU" for unit in listed):
        devices = [document for unit in chassis for document in members(documents, unit.pcie_devices)]
        yield from map(Processor.of_device, devices)


def _nic_ports(documents: View, chassis: Sequence[Chassis]) -> Iterator[NicPort]:
    """Every port, with the addresses that the port or else the function of the same order has; an adapter whose ports were not read has those that its controllers link, at least one."""
    for unit in chassis:
        for document in members(documents, unit.network_adapters):
            adapter = NetworkAdapter.of(document)
            functions = [Port.of_function(entry) for entry in members(documents, adapter.functions)]
            ports = [Port.of(entry) for entry in members(documents, adapter.ports)] or functions
            ports = ports or [Port(None, None)] * max(1, len(adapter.linked_ports))
            for at, port in enumerate(ports):
                spare = functions[at] if len(functions) == len(ports) else Port(None, None)
                yield NicPort.unvalidated(
                    adapter=adapter.identity,
                    port_guid=port.guid or spare.guid,
                    mac=port.mac or spare.mac,
                    card=adapter.serial,
                    slot=adapter.slot,
                )


def _works(supply: Supply) -> bool:
    return supply.health == "OK" and supply.state in {"Enabled", "StandbySpare", ""}


def _bios(documents: View, root: ServiceRoot) -> str:
    """The version among the firmware inventory, for a system that does not say it (GB200 calls it UEFI)."""
    inventory = link(documents.get(root.updates) or {}, "FirmwareInventory")
    versions = [word(entry, "Version") for entry in members(documents, inventory) if BIOS.fullmatch(word(entry, "Id"))]
    return next(iter(versions), "")


def _firmware(managers: Sequence[ManagerResource], system: System) -> str:
    manager = _own_manager(managers, system)
    return manager.firmware_version if manager else ""


def _own_manager(managers: Sequence[ManagerResource], system: System) -> ManagerResource | None:
    """The system's own manager first: a baseboard of accelerators has a controller besides the BMC."""
    return max(
        managers, key=lambda candidate: (candidate.path in system.managers, candidate.kind == "BMC"), default=None
    )


def _clock_offset(manager: ManagerResource | None, read_at: str) -> float | None:
    """Seconds that the clock of the BMC is ahead of the one of the reading machine; None where either does not say."""
    try:
        displayed, ours = datetime.fromisoformat(manager.time if manager else ""), datetime.fromisoformat(read_at)
    except ValueError:
        return None
    # A time without a zone is UTC, as for all of Redfish (DSP0266, Date-Time values).
    return ((displayed if displayed.tzinfo else displayed.replace(tzinfo=UTC)) - ours).total_seconds()
