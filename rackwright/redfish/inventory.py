"""Evidence from Redfish documents: `parse_machine` is pure and works on stored documents as well as on fresh ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rackwright.base.errors import OutsideError
from rackwright.model.evidence.bmc import BmcEvidence, NicPort
from rackwright.redfish import readings
from rackwright.redfish.resources.chassis import Chassis
from rackwright.redfish.resources.links import link, members
from rackwright.redfish.resources.manager import ManagerResource
from rackwright.redfish.resources.network_adapter import NetworkAdapter
from rackwright.redfish.resources.port import Port
from rackwright.redfish.resources.power_supply import PowerSupply
from rackwright.redfish.resources.processor import Processor
from rackwright.redfish.resources.service_root import SERVICE_ROOT, ServiceRoot
from rackwright.redfish.resources.system import System, hosts

View = Mapping[str, Mapping[str, Any]]


def parse_machine(documents: View) -> BmcEvidence:
    """The record of one machine from its Redfish documents (path -> document).

    Raises OutsideError when no document describes a host system.
    """
    root = ServiceRoot.of(documents.get(SERVICE_ROOT) or {})
    system = _host(documents, root)
    chassis = [Chassis.of(document) for document in members(documents, root.chassis)]
    managers = [ManagerResource.of(document) for document in members(documents, root.managers)]
    supplies = list(_power_supplies(documents, chassis))
    logs = [system.log_services, *(unit.log_services for unit in managers)]
    sensors, unread = readings.sensors(documents, chassis)
    log, complete = readings.log(documents, [path for path in logs if path])
    power = readings.power(documents, chassis)
    return BmcEvidence(
        manufacturer=system.manufacturer,
        model=system.model,
        serial=system.serial,
        power_state=system.power_state,
        bios_version=system.bios_version,
        bmc_version=_firmware(managers, system),
        health=system.status.rollup or system.status.health or "Unknown",
        cpu_count=system.cpu_count,
        memory_gib=system.memory_gib,
        gpu_models=[
            processor.model
            for processor in _processors(documents, root)
            if processor.kind == "GPU" and processor.status.present
        ],
        nic_ports=list(_nic_ports(documents, chassis)),
        psus_ok=sum(supply.good for supply in supplies),
        psus_total=len(supplies),
        boot_override=system.boot_override,
        own_ports=readings.own_ports(documents, managers),
        sensors=sensors,
        sensors_unread=unread,
        supplies=[readings.supply(unit) for unit in supplies] or None,
        leak_detectors=readings.detectors(documents, chassis),
        log=log,
        log_complete=complete,
        power_watts=power.watts,
        power_limit_watts=power.limit_watts,
        power_limit_known=power.is_reported,
        psu_redundancy=readings.redundancy(documents, chassis),
    )


def host_system(documents: View) -> System:
    """The system that an operating system runs on; OutsideError when the documents hold none, or several."""
    return _host(documents, ServiceRoot.of(documents.get(SERVICE_ROOT) or {}))


def _host(documents: View, root: ServiceRoot) -> System:
    systems = hosts([System.of(document) for document in members(documents, root.systems)])
    if not systems:
        raise OutsideError("the BMC lists no computer system: reset it or update its firmware, then run again")
    if len(systems) > 1:
        paths = ", ".join(document.path for document in systems)
        raise OutsideError(f"the BMC manages several machines ({paths}): give the address of the one machine's own BMC")
    return systems[0]


def _processors(documents: View, root: ServiceRoot) -> Iterator[Processor]:
    for system in members(documents, root.systems):
        for document in members(documents, link(system, "Processors")):
            yield Processor.of(document)


def _nic_ports(documents: View, chassis: Sequence[Chassis]) -> Iterator[NicPort]:
    for unit in chassis:
        for document in members(documents, unit.network_adapters):
            adapter = NetworkAdapter.of(document)
            for port in map(Port.of, members(documents, adapter.ports)):
                yield NicPort.unvalidated(adapter=adapter.identity, port_guid=port.guid, mac=port.mac)


def _power_supplies(documents: View, chassis: Sequence[Chassis]) -> Iterator[PowerSupply]:
    for unit in chassis:
        subsystem = documents.get(unit.power_subsystem) or {}
        listed = members(documents, link(subsystem, "PowerSupplies"))
        older = (documents.get(unit.power) or {}).get("PowerSupplies") or []
        for supply in map(PowerSupply.of, listed or older):
            if supply.status.present:
                yield supply


def _firmware(managers: Sequence[ManagerResource], system: System) -> str:
    # The system's own manager first: a baseboard of accelerators has a controller besides the BMC.
    manager = max(
        managers, key=lambda candidate: (candidate.path in system.managers, candidate.kind == "BMC"), default=None
    )
    return manager.firmware_version if manager else ""
