"""Plates, accelerators, adapters and logs of a BMC, moved to where a dialect has them. Paths are still those of `documents`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rackwright.twin.bmc import updates
from rackwright.twin.bmc.dialect import Dialect, SpokenAdapters, SpokenFirmware
from rackwright.twin.bmc.documents import BASEBOARD, CHASSIS, HOST, MANAGER, ROOT, Document, build_collection
from rackwright.twin.hardware.state import TwinMachine

Documents = dict[str, Document]


def write_inventory(documents: Documents, dialect: Dialect) -> None:
    """Change the inventory in `documents` to that of `dialect`."""
    _plate(documents, dialect)
    _accelerators(documents, dialect)
    _adapters(documents, dialect)
    _log(documents, dialect)


def write_firmware(documents: Documents, machine: TwinMachine, spoken: Sequence[SpokenFirmware]) -> None:
    """Add the firmware inventory of `machine` to `documents`."""
    service = f"{ROOT}/UpdateService"
    listing = f"{service}/FirmwareInventory"
    entries = {
        f"{listing}/{entry.id.format(version=updates.version(machine, entry))}": _firmware(machine, entry)
        for entry in spoken
    }
    documents[f"{ROOT}/"]["UpdateService"] = {"@odata.id": service}
    documents[service] = {"@odata.id": service, "Id": "UpdateService", "Name": "Update Service", "FirmwareInventory": {"@odata.id": listing}}  # fmt: skip
    move(documents, listing, "SoftwareInventoryCollection", entries)


def _firmware(machine: TwinMachine, entry: SpokenFirmware) -> Document:
    broken = entry.component in machine.firmware.broken
    status = {"Status": {"State": "UnavailableOffline", "Health": "Critical"}} if broken else {}
    return {"Name": entry.name, "Version": updates.version(machine, entry), "Updateable": True, **status}


def members(documents: Documents, collection: str) -> list[Document]:
    """The documents of a collection, in its order."""
    return [documents[member["@odata.id"]] for member in (documents.get(collection) or {"Members": []})["Members"]]


def move(documents: Documents, collection: str, kind: str, entries: Mapping[str, Document]) -> None:
    """Remove the documents of the collection, and add `entries` (by path) instead."""
    for old in members(documents, collection):
        documents.pop(old["@odata.id"])
    documents |= {path: {**entry, "@odata.id": path, "Id": path.rpartition("/")[2]} for path, entry in entries.items()}
    documents[collection] = build_collection(collection, kind, entries)


def _plate(documents: Documents, dialect: Dialect) -> None:
    host = documents[HOST]
    if dialect.plate.serial == "SKU":
        host["SKU"], host["SerialNumber"] = host["SerialNumber"], f"CN{host['SerialNumber']}"
    documents[CHASSIS]["Links"] = {"ComputerSystems": [{"@odata.id": HOST}]}
    if dialect.plate.place == "system":
        return
    for name in ("Manufacturer", "Model", "SerialNumber"):
        host.pop(name)
    if (
        BASEBOARD in documents and dialect.accelerators.place == "baseboard"
    ):  # it counts processors and memory, and says its own board
        documents[BASEBOARD] |= {name: host.pop(name) for name in ("ProcessorSummary", "MemorySummary")}


def _accelerators(documents: Documents, dialect: Dialect) -> None:
    if BASEBOARD not in documents:
        return
    rules, collection = dialect.accelerators, f"{BASEBOARD}/Processors"
    gpus = members(documents, collection)
    for gpu in gpus:
        if not rules.model:
            gpu.pop("Model")
        if not rules.status and gpu["Status"]["Health"] == "OK":
            gpu.pop("Status")
    place = {"baseboard": collection, "host": f"{HOST}/Processors", "pcie": f"{CHASSIS}/PCIeDevices"}[rules.place]
    names = [rules.id.format(n=_number(gpu) - 1 + rules.first) for gpu in gpus]
    entries = {f"{place}/{name}": gpu for name, gpu in zip(names, gpus, strict=True)}
    if rules.place == "baseboard":
        move(documents, collection, "ProcessorCollection", entries)
        return
    for path in (BASEBOARD, collection, *(gpu["@odata.id"] for gpu in gpus)):
        documents.pop(path)
    documents[f"{ROOT}/Systems"] = build_collection(f"{ROOT}/Systems", "ComputerSystemCollection", [HOST])
    if rules.place == "pcie":
        documents[CHASSIS]["PCIeDevices"] = {"@odata.id": place}
        devices = {path: _device(gpu) for path, gpu in entries.items()}
        move(documents, place, "PCIeDeviceCollection", devices)
    else:
        present = {document["@odata.id"]: document for document in members(documents, place)}
        move(documents, place, "ProcessorCollection", {**present, **entries})


def _number(gpu: Document) -> int:
    return int(str(gpu["@odata.id"]).rpartition("_")[2])


def _device(gpu: Document) -> Document:
    listed = {name: value for name, value in gpu.items() if name not in ("ProcessorType", "UUID")}
    return {**listed, "DeviceType": "MultiFunction", "Description": "GPU Device"}


def _adapters(documents: Documents, dialect: Dialect) -> None:
    """Each adapter under the id of the dialect, with its ports and their addresses where that has them."""
    rules, collection = dialect.adapters, f"{CHASSIS}/NetworkAdapters"
    adapters = members(documents, collection)
    moved = {}
    for at, adapter in enumerate(adapters, start=rules.first):
        path, old = f"{collection}/{rules.id.format(n=at)}", adapter.pop("Ports")["@odata.id"]
        ports = members(documents, old)
        for gone in (old, *(port["@odata.id"] for port in ports)):
            documents.pop(gone)
        adapter |= {rules.ports: {"@odata.id": f"{path}/{rules.ports}"}, "Name": rules.id.format(n=at)}
        if not rules.serial:
            adapter.pop("SerialNumber", None)
        names = [
            rules.port.format(n=at) if len(ports) == 1 else f"{rules.port.format(n=at)}{k}" for k in range(len(ports))
        ]
        spoken = {f"{path}/{rules.ports}/{name}": port for name, port in zip(names, ports, strict=True)}
        if rules.addresses == "functions":
            functions = f"{path}/NetworkDeviceFunctions"
            adapter["NetworkDeviceFunctions"] = {"@odata.id": functions}
            addresses = {f"{functions}/NetworkDeviceFunction{k}": _function(port) for k, port in enumerate(ports)}
            move(documents, functions, "NetworkDeviceFunctionCollection", addresses)
        if controller := _controller(rules, at, list(spoken)):
            adapter["Controllers"] = [controller]
        for port in ports:
            _addresses(port, rules.addresses)
        move(documents, f"{path}/{rules.ports}", "PortCollection", spoken)
        moved[path] = adapter
    move(documents, collection, "NetworkAdapterCollection", moved)


def _controller(rules: SpokenAdapters, at: int, ports: Sequence[str]) -> Document:
    """Where the controller of the adapter number `at` is, and its `ports`, as far as the dialect says it."""
    place = {"PartLocation": {"LocationType": "Slot", "ServiceLabel": rules.slot.format(n=at)}}
    located = {"Location": place} if rules.slot else {}
    return {**located, **({"Links": {rules.ports: [{"@odata.id": path} for path in ports]}} if rules.linked else {})}


def _function(port: Document) -> Document:
    mac = port["Ethernet"]["AssociatedMACAddresses"][0].upper()
    return {"Name": "Function", "Ethernet": {"MACAddress": mac, "PermanentMACAddress": mac}}


def _addresses(port: Document, place: str) -> None:
    """The addresses of a port as BMCs have them: none of the published trees has a GUID under InfiniBand."""
    guids = (port.pop("InfiniBand", None) or {}).get("AssociatedPortGUIDs") or []
    macs = port.pop("Ethernet")["AssociatedMACAddresses"]
    if place == "ports":
        port["Ethernet"] = {"AssociatedMACAddresses": [mac.upper() for mac in macs]}
    elif place == "network":
        port["AssociatedNetworkAddresses"] = [mac.upper() for mac in macs]
    elif place == "guid":
        digits = [guid.removeprefix("0x") for guid in guids]
        port["AssociatedNetworkAddresses"] = [
            ":".join(guid[at : at + 4] for at in range(0, 16, 4)) for guid in digits
        ] or macs


def _log(documents: Documents, dialect: Dialect) -> None:
    """The one event log, under the system or the manager and with the name of the dialect."""
    old, holder = f"{HOST}/LogServices", HOST if dialect.log.holder == "system" else MANAGER
    services = f"{holder}/LogServices"
    entries = members(documents, f"{old}/SEL/Entries")
    for path in (old, f"{old}/SEL", f"{old}/SEL/Entries"):
        documents.pop(path)
    for entry in entries:
        documents.pop(entry["@odata.id"])
    documents[HOST].pop("LogServices")
    documents[holder]["LogServices"] = {"@odata.id": services}
    service = f"{services}/{dialect.log.service}"
    documents[services] = build_collection(services, "LogServiceCollection", [service])
    documents[service] = {
        "@odata.id": service,
        "Id": dialect.log.service,
        "Name": "Log",
        "Entries": {"@odata.id": f"{service}/Entries"},
    }
    numbered = {f"{service}/Entries/{entry['Id']}": entry for entry in entries}
    move(documents, f"{service}/Entries", "LogEntryCollection", numbered)
