"""BIOS attributes of a simulated machine, as the BMC of its dialect shows them, and changes that wait for the next boot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Any

from rackwright.twin.bmc.actions import RequestRefused
from rackwright.twin.bmc.dialect import SpokenAttribute, SpokenBios, SpokenBoot
from rackwright.twin.bmc.documents import NOW, ROOT, Document, bmc_time, build_collection
from rackwright.twin.hardware.state import TwinMachine

KINDS: dict[str, type] = {"Boolean": bool, "String": str}
APPLY_TIME = "@Redfish.SettingsApplyTime"


def write_bios(documents: dict[str, Document], host: str, machine: TwinMachine, spoken: SpokenBios) -> None:
    """Add the BIOS of `machine`, whose system is at `host`, its pending settings and its registry to `documents`."""
    path, pending = f"{ROOT}{spoken.path}", f"{ROOT}{spoken.settings}"
    factory = {name: attribute.value for name, attribute in spoken.attributes.items()}
    current = {**factory, **machine.bios.changed}
    named = {"AttributeRegistry": spoken.named} if spoken.named else {}
    settings: dict[str, Any] = {"@odata.type": "#Settings.v1_3_5.Settings", "SettingsObject": {"@odata.id": pending}}
    if spoken.apply_times:
        settings["SupportedApplyTimes"] = spoken.apply_times
    later = {"all": {**current, **machine.bios.pending}, "changes": dict(machine.bios.pending)}[spoken.pending]
    documents[host]["Bios"] = {"@odata.id": path}
    documents[path] = {
        "@odata.id": path, "@odata.type": "#Bios.v1_2_0.Bios", "Id": "Bios", "Name": "BIOS", **named,
        "Attributes": current, "@Redfish.Settings": settings,
    }  # fmt: skip
    documents[pending] = {
        "@odata.id": pending, "@odata.type": "#Bios.v1_2_0.Bios", "Id": "Settings", "Name": "Pending", **named, "Attributes": later,
    }  # fmt: skip
    _write_registry(documents, spoken)


def write_progress(system: Document, machine: TwinMachine, spoken: SpokenBoot) -> None:
    """Add the boot progress of `machine` to the document of `system`."""
    stage = (machine.bios.stage or spoken.running) if machine.power_state == "On" else spoken.off
    system["BootProgress"] = {"LastState": stage, **({"LastStateTime": bmc_time(machine, NOW)} if spoken.time else {})}


def change(machine: TwinMachine, body: Mapping[str, Any], spoken: SpokenBios) -> TwinMachine:
    """The machine after a PATCH of its pending settings. RequestRefused for what the registry does not allow."""
    attributes = body.get("Attributes")
    surplus = set(body) - {"Attributes", APPLY_TIME}
    if surplus or not isinstance(attributes, Mapping) or not attributes:
        raise RequestRefused(
            HTTPStatus.BAD_REQUEST, f"The property {min(surplus, default='Attributes')} cannot be written."
        )
    time = (body.get(APPLY_TIME) or {}).get("ApplyTime")
    if time is not None and time not in spoken.apply_times:
        raise RequestRefused(
            HTTPStatus.BAD_REQUEST, f"The value {time} for ApplyTime is not in the list of acceptable values."
        )
    for name, value in attributes.items():
        rule = spoken.attributes.get(name)
        if rule is None or rule.read_only:
            raise RequestRefused(HTTPStatus.BAD_REQUEST, f"The property {name} is unknown or cannot be written.")
        if not _is_allowed(rule, value):
            raise RequestRefused(
                HTTPStatus.BAD_REQUEST, f"The value {value} for the property {name} is not acceptable."
            )
    return replace(machine, bios=machine.bios.staged(attributes))


def _is_allowed(rule: SpokenAttribute, value: Any) -> bool:
    if rule.kind == "Integer":
        return isinstance(value, int) and not isinstance(value, bool) and rule.lowest <= value <= rule.highest
    if rule.kind == "Enumeration":
        return value in rule.values
    return isinstance(value, KINDS[rule.kind])


def _write_registry(documents: dict[str, Document], spoken: SpokenBios) -> None:
    listing, file = f"{ROOT}/Registries", f"{ROOT}/Registries/{spoken.registry}"
    documents[f"{ROOT}/"]["Registries"] = {"@odata.id": listing}
    documents[listing] = build_collection(listing, "MessageRegistryFileCollection", [f"{listing}/Base", file])
    documents[f"{listing}/Base"] = {
        "@odata.id": f"{listing}/Base",
        "Id": "Base",
        "Name": "Base",
        "Registry": "Base.1.18.0",
    }
    place = {"Language": "en", "Uri": spoken.registry_uri}
    documents[file] = {
        "@odata.id": file, "@odata.type": "#MessageRegistryFile.v1_1_3.MessageRegistryFile", "Id": spoken.registry,
        "Name": "BIOS Attribute Registry", "Registry": spoken.registry, "Location": [place],
    }  # fmt: skip
    entries = [_entry(name, rule) for name, rule in spoken.attributes.items()]
    documents[spoken.registry_uri] = {
        "@odata.type": "#AttributeRegistry.v1_3_6.AttributeRegistry", "Id": spoken.registry, "Language": "en",
        "Name": "BIOS Attribute Registry", "RegistryVersion": "1.0.0", "RegistryEntries": {"Attributes": entries},
    }  # fmt: skip


def _entry(name: str, rule: SpokenAttribute) -> Document:
    entry: Document = {"AttributeName": name, "Type": rule.kind, "ReadOnly": rule.read_only, "DisplayName": name}
    if rule.kind == "Enumeration":
        values = dict(zip(rule.values, rule.written or rule.values, strict=True))
        entry["Value"] = [
            {"ValueName": written, "ValueDisplayName": displayed} for displayed, written in values.items()
        ]
    if rule.kind == "Integer":
        entry |= {"LowerBound": rule.lowest, "UpperBound": rule.highest}
    return entry
