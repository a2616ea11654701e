"""The data drives of a simulated machine as its BMC lists them, and their erase: a task that advances with each request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Any

from rackwright.twin.bmc import updates
from rackwright.twin.bmc.actions import RequestRefused
from rackwright.twin.bmc.dialect import Dialect, SpokenDrives
from rackwright.twin.bmc.documents import ROOT, Document, build_collection
from rackwright.twin.hardware.parts.drive import DriveState
from rackwright.twin.hardware.parts.updates import UpdateTask
from rackwright.twin.hardware.state import TwinMachine

ERASE = "/Actions/Drive.SecureErase"
INFO = "/SanitizeActionInfo"
APPLY_TIME = "@Redfish.OperationApplyTime"


def write_drives(documents: dict[str, Document], host: str, machine: TwinMachine, spoken: SpokenDrives) -> None:
    """Add the storage of `machine`, whose system is at `host`, with its drives and what erases them."""
    storage = f"{host}/Storage"
    documents[host]["Storage"] = {"@odata.id": storage}
    unit = f"{storage}/{spoken.storage}"
    documents[storage] = build_collection(storage, "StorageCollection", [unit])
    paths = {_path(host, spoken, drive.index): drive for drive in machine.system.drives if drive.present}
    documents[unit] = {
        "@odata.id": unit, "@odata.type": "#Storage.v1_13_0.Storage", "Id": spoken.storage, "Name": "Storage",
        "Drives": [{"@odata.id": path} for path in paths], "Drives@odata.count": len(paths),
    }  # fmt: skip
    for path, drive in paths.items():
        documents[path] = _drive(path, drive, spoken)
        if spoken.kinds:
            documents[f"{path}{INFO}"] = _info(f"{path}{INFO}", spoken)


def begin(machine: TwinMachine, path: str, body: Mapping[str, Any], dialect: Dialect) -> tuple[TwinMachine, UpdateTask]:
    """The machine with the task that a POST to the action at `path` begins. RequestRefused for what it does not take."""
    spoken = dialect.drives
    host = f"{ROOT}{dialect.paths['/Systems/Host']}"
    present = [drive.index for drive in machine.system.drives if drive.present]
    number = next((n for n in present if spoken and path == f"{_path(host, spoken, n)}{ERASE}"), None)
    if spoken is None or number is None:
        raise RequestRefused(HTTPStatus.NOT_FOUND, f"The resource at the URI {path} was not found.")
    allowed = {"SanitizationType"} if spoken.kinds else set()
    allowed |= {APPLY_TIME} if spoken.times else set()
    if unknown := sorted(set(body) - allowed):
        raise RequestRefused(HTTPStatus.BAD_REQUEST, f"The action has no parameter {unknown[0]}.")
    if spoken.kinds and body.get("SanitizationType") not in spoken.kinds:
        raise RequestRefused(
            HTTPStatus.BAD_REQUEST, "The value for SanitizationType is not in the list of acceptable values."
        )
    if updates.is_running(machine):
        raise RequestRefused(HTTPStatus.SERVICE_UNAVAILABLE, "Drive sanitize in progress.")
    task = UpdateTask(len(machine.firmware.tasks) + 1, {}, drive=number)
    return replace(machine, firmware=replace(machine.firmware, tasks=(*machine.firmware.tasks, task))), task


def _path(host: str, spoken: SpokenDrives, number: int) -> str:
    return f"{host}/Storage/{spoken.storage}/Drives/{spoken.id.format(n=number + spoken.first)}"


def _drive(path: str, drive: DriveState, spoken: SpokenDrives) -> Document:
    action: Document = {"target": f"{path}{ERASE}"}
    if spoken.kinds:
        action["@Redfish.ActionInfo"] = f"{path}{INFO}"
    if spoken.times:
        action["@Redfish.OperationApplyTimeSupport"] = {"SupportedValues": spoken.times}
    return {
        "@odata.id": path, "@odata.type": "#Drive.v1_18_0.Drive", "Id": path.rpartition("/")[2], "Name": path.rpartition("/")[2],
        "Actions": {"#Drive.SecureErase": action}, "CapacityBytes": int(drive.terabytes * 1e12), "FirmwareVersion": drive.firmware,
        "MediaType": "SSD", "Model": drive.model, "SerialNumber": drive.serial, "Operations": spoken.idle, "Status": {"State": "Enabled"},
    }  # fmt: skip


def _info(path: str, spoken: SpokenDrives) -> Document:
    parameter = {"Name": "SanitizationType", "DataType": "String", "AllowableValues": spoken.kinds}
    return {
        "@odata.id": path, "@odata.type": "#ActionInfo.v1_1_2.ActionInfo", "Id": "SanitizeActionInfo", "Name": "Sanitize Action Info",
        "Parameters": [parameter],
    }  # fmt: skip
