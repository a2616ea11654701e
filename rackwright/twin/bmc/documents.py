"""Redfish documents of the BMC of one simulated machine, by path.

The shape follows a DGX H100: two systems, the accelerator baseboard listed before the host, and adapters under the chassis.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Any

from rackwright.twin.bmc import readings
from rackwright.twin.hardware.parts.identity import bmc_mac, identifier, system_uuid
from rackwright.twin.hardware.parts.port import card_serial
from rackwright.twin.hardware.state import Gpu, MachinePort, TwinMachine

Document = dict[str, Any]
ROOT = "/redfish/v1"
HOST = f"{ROOT}/Systems/Host"
BASEBOARD = f"{ROOT}/Systems/HGX_Baseboard_0"
CHASSIS = f"{ROOT}/Chassis/Chassis"
MANAGER = f"{ROOT}/Managers/BMC"
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
"""When a machine is read that nobody serves: the time of a campaign."""
SESSIONS = f"{ROOT}/SessionService/Sessions"
RESET_ACTION = "/Actions/ComputerSystem.Reset"
RESET = f"{HOST}{RESET_ACTION}"
RESET_TYPES = ["On", "ForceOff", "GracefulShutdown", "GracefulRestart", "ForceRestart"]
BOOT_TARGETS = ["None", "Pxe", "UefiHttp", "Hdd"]


def build_documents(machine: TwinMachine) -> dict[str, Document]:
    """All resources of the machine's BMC by path, except sessions, which the server manages."""
    resources = [_root(machine), _session_service(), *_systems(machine), *_chassis(machine), *_manager(machine)]
    resources += readings.build_documents(machine, CHASSIS, HOST)
    return {document["@odata.id"]: document for document in resources}


def build_collection(path: str, kind: str, members: Iterable[str]) -> Document:
    """A collection document."""
    links = [{"@odata.id": member} for member in members]
    return {
        "@odata.id": path, "@odata.type": f"#{kind}.{kind}", "Name": kind, "Members": links, "Members@odata.count": len(links),
    }  # fmt: skip


def _resource(path: str, kind: str, name: str, **properties: Any) -> Document:
    identity = path.rsplit("/", 1)[1]
    return {"@odata.id": path, "@odata.type": f"#{kind}", "Id": identity, "Name": name, **properties}


def _link(path: str) -> Document:
    return {"@odata.id": path}


def _status(health: str = "OK", state: str = "Enabled", **more: str) -> Document:
    return {"State": state, "Health": health, **more}


def _root(machine: TwinMachine) -> Document:
    names = ("Systems", "Chassis", "Managers", "SessionService")
    return {
        "@odata.id": f"{ROOT}/", "@odata.type": "#ServiceRoot.v1_17_0.ServiceRoot", "Id": "RootService",
        "Name": "Root Service", "RedfishVersion": "1.20.0", "Vendor": machine.manufacturer, "Product": machine.model,
        **{name: _link(f"{ROOT}/{name}") for name in names}, "Links": {"Sessions": _link(SESSIONS)},
        "ProtocolFeaturesSupported": {"ExpandQuery": {"NoLinks": True, "Levels": True, "MaxLevels": 1, "ExpandAll": False}},
    }  # fmt: skip


def _session_service() -> Document:
    path = f"{ROOT}/SessionService"
    return _resource(
        path, "SessionService.v1_1_9.SessionService", "Session Service", ServiceEnabled=True, Sessions=_link(SESSIONS)
    )


def _systems(machine: TwinMachine) -> Iterable[Document]:
    paths = [BASEBOARD, HOST] if machine.gpus else [HOST]
    yield build_collection(f"{ROOT}/Systems", "ComputerSystemCollection", paths)
    yield _host(machine)
    cpus = [_cpu(number, machine) for number in range(_cpus(machine))]
    yield build_collection(f"{HOST}/Processors", "ProcessorCollection", [cpu["@odata.id"] for cpu in cpus])
    yield from cpus
    if machine.gpus:
        yield _resource(
            BASEBOARD, "ComputerSystem.v1_23_0.ComputerSystem", "HGX Baseboard", SystemType="Physical",
            Manufacturer="NVIDIA", Status=_status(), PowerState=machine.power_state,
            Processors=_link(f"{BASEBOARD}/Processors"),
        )  # fmt: skip
        gpus = [_gpu(gpu) for gpu in machine.gpus if gpu.index not in machine.chassis.gpus_unlisted]
        yield build_collection(f"{BASEBOARD}/Processors", "ProcessorCollection", [gpu["@odata.id"] for gpu in gpus])
        yield from gpus


def _host(machine: TwinMachine) -> Document:
    boot = {
        "BootSourceOverrideEnabled": machine.boot_enabled,
        "BootSourceOverrideEnabled@Redfish.AllowableValues": ["Disabled", "Once", "Continuous"],
        "BootSourceOverrideMode": "UEFI",
        "BootSourceOverrideTarget": machine.boot_target,
        "BootSourceOverrideTarget@Redfish.AllowableValues": BOOT_TARGETS,
    }
    reset = {"target": RESET, "ResetType@Redfish.AllowableValues": RESET_TYPES}
    return _resource(
        HOST, "ComputerSystem.v1_23_0.ComputerSystem", machine.node, SystemType="Physical",
        Manufacturer=machine.manufacturer, Model=machine.model, SerialNumber=machine.serial, UUID=system_uuid(machine.serial),
        BiosVersion=machine.bios_version, PowerState=machine.power_state,
        Status=_status(machine.health, HealthRollup=machine.health),
        ProcessorSummary={"Count": _cpus(machine)}, MemorySummary={"TotalSystemMemoryGiB": _memory(machine)},
        LogServices=_link(f"{HOST}/LogServices"),
        Processors=_link(f"{HOST}/Processors"), Boot=boot, Actions={"#ComputerSystem.Reset": reset},
        Links={"Chassis": [_link(CHASSIS)], "ManagedBy": [_link(MANAGER)]},
    )  # fmt: skip


def _cpus(machine: TwinMachine) -> int:
    listed = machine.chassis.cpus_listed
    return machine.cpu_count if listed is None else listed


def _memory(machine: TwinMachine) -> int:
    listed = machine.chassis.memory_gib_listed
    if listed is not None:
        return listed
    return sum(dimm.gib for dimm in machine.system.dimms) or machine.memory_gib


def _cpu(number: int, machine: TwinMachine) -> Document:
    path = f"{HOST}/Processors/CPU_{number}"
    return _resource(path, "Processor.v1_20_0.Processor", f"CPU {number}", ProcessorType="CPU", Status=_status(),
                     Socket=f"CPU{number}", SystemInterface={"InterfaceType": "PCIe"}, Description=machine.model)  # fmt: skip


def _gpu(gpu: Gpu) -> Document:
    path = f"{BASEBOARD}/Processors/GPU_SXM_{gpu.index + 1}"
    # The baseboard's controller sees a GPU over its side band even when it fell off the PCIe bus.
    status = _status() if gpu.present else _status("Critical", "UnavailableOffline")
    return _resource(
        path, "Processor.v1_20_0.Processor", f"GPU {gpu.index + 1}", ProcessorType="GPU", Manufacturer="NVIDIA",
        Model=gpu.product_name, SerialNumber=gpu.serial, UUID=gpu.uuid.removeprefix("GPU-"),
        FirmwareVersion=gpu.vbios, Status=status,
    )  # fmt: skip


def _chassis(machine: TwinMachine) -> Iterable[Document]:
    adapters = f"{CHASSIS}/NetworkAdapters"
    yield build_collection(f"{ROOT}/Chassis", "ChassisCollection", [CHASSIS])
    yield _resource(
        CHASSIS, "Chassis.v1_26_0.Chassis", "Chassis", ChassisType="RackMount", Manufacturer=machine.manufacturer,
        Model=machine.model, SerialNumber=machine.serial, Status=_status(machine.health),
        NetworkAdapters=_link(adapters), PowerSubsystem=_link(f"{CHASSIS}/PowerSubsystem"),
        Sensors=_link(f"{CHASSIS}/Sensors"), ThermalSubsystem=_link(f"{CHASSIS}/ThermalSubsystem"),
        EnvironmentMetrics=_link(f"{CHASSIS}/EnvironmentMetrics"),
    )  # fmt: skip
    nics = [nic for nic in machine.nics[: machine.bmc_ports] if nic.name not in machine.chassis.nics_unlisted]
    cards = {number: list(ports) for number, ports in groupby(nics, lambda nic: machine.slot(nic)[0])}
    names = {number: f"{adapters}/{ports[0].name}" for number, ports in cards.items()}
    yield build_collection(adapters, "NetworkAdapterCollection", list(names.values()))
    for number, ports in cards.items():
        yield from _adapter(names[number], ports, machine)
    yield from _power(machine)


def _adapter(path: str, nics: Sequence[MachinePort], machine: TwinMachine) -> Iterable[Document]:
    """An adapter, called after its first port, and its ports: lanes of a split one are ports of their own."""
    name, numbers = nics[0].name, [nic.function + 1 for nic in nics]
    serial, exchanged = card_serial(machine.nics, nics[0]), name in machine.chassis.nics_exchanged
    yield _resource(
        path, "NetworkAdapter.v1_12_0.NetworkAdapter", name, Status=_status(), Ports=_link(f"{path}/Ports"),
        SerialNumber=f"MT{identifier(serial)[:10].upper()}" if exchanged else serial,
    )  # fmt: skip
    yield build_collection(f"{path}/Ports", "PortCollection", [f"{path}/Ports/{number}" for number in numbers])
    for number, nic in zip(numbers, nics, strict=True):
        addresses: Document = {"Ethernet": {"AssociatedMACAddresses": [nic.mac]}}
        if nic.role in {"compute", "storage"}:
            guid = f"{nic.guid[:10]}{identifier(nic.guid)[:8]}" if exchanged else nic.guid
            addresses["InfiniBand"] = {"AssociatedPortGUIDs": [guid]}
        port = f"{path}/Ports/{number}"
        yield _resource(port, "Port.v1_16_0.Port", f"{name} port {number}", Status=_status(), **addresses)


def _power(machine: TwinMachine) -> Iterable[Document]:
    path = f"{CHASSIS}/PowerSubsystem"
    supplies = [f"{path}/PowerSupplies/PSU{number}" for number in range(machine.psus_total)]
    yield _resource(
        path,
        "PowerSubsystem.v1_1_3.PowerSubsystem",
        "Power",
        Status=_status(),
        PowerSupplies=_link(f"{path}/PowerSupplies"),
        PowerSupplyRedundancy=[{"RedundancyType": "NPlusM", "Status": _status(machine.chassis.redundancy)}],
    )
    yield build_collection(f"{path}/PowerSupplies", "PowerSupplyCollection", supplies)
    for number, supply in enumerate(supplies):
        lost = number in machine.chassis.lost_inputs
        good = number < machine.psus_ok and not lost
        status = _status() if good else _status("Critical", "UnavailableOffline")
        fed = "LossOfInput" if lost else "Normal"
        yield _resource(supply, "PowerSupply.v1_6_0.PowerSupply", f"PSU {number}", Status=status, LineInputStatus=fed)


def bmc_time(machine: TwinMachine, now: datetime) -> str:
    """Time of the BMC's clock at `now`."""
    return (now + timedelta(seconds=machine.chassis.clock_offset_seconds)).isoformat(timespec="seconds")


def _manager(machine: TwinMachine) -> Iterable[Document]:
    yield build_collection(f"{ROOT}/Managers", "ManagerCollection", [MANAGER])
    yield _resource(
        MANAGER, "Manager.v1_20_0.Manager", "BMC", ManagerType="BMC", FirmwareVersion=machine.bmc_version, DateTime=bmc_time(machine, NOW),
        Status=_status(), Links={"ManagerForServers": [_link(HOST)]}, DedicatedNetworkPorts=_link(f"{MANAGER}/DedicatedNetworkPorts"),
        EthernetInterfaces=_link(f"{MANAGER}/EthernetInterfaces"),
    )  # fmt: skip
    port = f"{MANAGER}/DedicatedNetworkPorts/1"
    far = dict(zip(("SystemName", "PortId"), machine.bmc_far, strict=True)) if machine.bmc_far else {}
    yield build_collection(f"{MANAGER}/DedicatedNetworkPorts", "PortCollection", [port])
    yield _resource(port, "Port.v1_16_0.Port", "BMC port", Status=_status(), Ethernet={"LLDPReceive": far})
    interface, mac = f"{MANAGER}/EthernetInterfaces/eth0", bmc_mac(machine.serial)
    yield build_collection(f"{MANAGER}/EthernetInterfaces", "EthernetInterfaceCollection", [interface])
    yield _resource(
        interface, "EthernetInterface.v1_12_2.EthernetInterface", "Manager Ethernet Interface", Status=_status(),
        InterfaceEnabled=True, MACAddress=mac, PermanentMACAddress=mac,
    )  # fmt: skip
