"""Firmware updates of a simulated BMC: an image is taken, its task goes on, versions change when they are put into force.

An image of the twin is a text file: after the line ``twin-firmware`` a line ``COMPONENT VERSION`` for each component.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Any

from rackwright.catalog import firmware_practice
from rackwright.twin.bmc.actions import RequestRefused
from rackwright.twin.bmc.dialect import Dialect, SpokenFirmware, SpokenUpdates
from rackwright.twin.bmc.documents import ROOT, Document, build_collection
from rackwright.twin.hardware.firmware import activated
from rackwright.twin.hardware.parts.updates import StagedFirmware, UpdateTask
from rackwright.twin.hardware.state import TwinMachine

MAGIC = "twin-firmware"
STEP, HALF, WHOLE = 25, 50, 100
"""Percent that a task goes on at each look."""
TASKS = f"{ROOT}/TaskService/Tasks"
INVENTORY = f"{ROOT}/UpdateService/FirmwareInventory"
MANAGER_RESET = "/Actions/Manager.Reset"


def resets(manager: str) -> dict[str, Any]:
    """The action with which the BMC at path `manager` restarts itself."""
    listed = ["GracefulRestart", "ForceRestart"]
    return {"#Manager.Reset": {"target": f"{manager}{MANAGER_RESET}", "ResetType@Redfish.AllowableValues": listed}}


def image(versions: Mapping[str, str]) -> bytes:
    """An image of the twin that brings `versions` by component."""
    return "\n".join([MAGIC, *(f"{name} {version}" for name, version in versions.items()), ""]).encode()


def version(machine: TwinMachine, entry: SpokenFirmware) -> str:
    """The version in force of a component."""
    versions = {"bios": machine.bios_version, "bmc": machine.bmc_version}
    return versions.get(entry.of) or machine.firmware.versions.get(entry.component, entry.version)


def is_running(machine: TwinMachine) -> bool:
    """Whether the BMC is working on an update."""
    return any(task.state == "Running" for task in machine.firmware.tasks)


def begin(
    machine: TwinMachine, dialect: Dialect, content: bytes, targets: Collection[str]
) -> tuple[TwinMachine, UpdateTask]:
    """The machine with the task of an update. RequestRefused while another runs, and for a target that it does not have."""
    if is_running(machine):
        raise RequestRefused(HTTPStatus.SERVICE_UNAVAILABLE, "An update is in progress.")
    ids = {f"{INVENTORY}/{entry.id.format(version=version(machine, entry))}" for entry in dialect.firmware}
    if wrong := sorted(path for path in targets if path.startswith(INVENTORY) and path not in ids):
        raise RequestRefused(HTTPStatus.BAD_REQUEST, f"The target {wrong[0]} was not found.")
    magic, *lines = content.decode(errors="replace").splitlines() or [""]
    versions = dict(line.rsplit(" ", 1) for line in lines) if magic == MAGIC else {}
    listed = {entry.component for entry in dialect.firmware}
    number = len(machine.firmware.tasks) + 1
    task = UpdateTask(number, versions)
    if not versions or set(versions) - listed:
        task = replace(task, state="Exception", message="The image is not for this machine.")
    return replace(machine, firmware=replace(machine.firmware, tasks=(*machine.firmware.tasks, task))), task


def look(machine: TwinMachine, dialect: Dialect) -> TwinMachine:
    """The machine after one more request: its running task has advanced or ended."""
    running = next((task for task in machine.firmware.tasks if task.state == "Running"), None)
    if running is None:
        return machine
    percent, state = running.percent + STEP, machine.firmware
    if percent == HALF and state.mishap == "task lost":
        return replace(machine, firmware=replace(state, tasks=(), mishap=""))
    if percent == HALF and state.mishap == "half-flashed":
        failed = replace(running, percent=percent, state="Exception", message="Writing to the flash failed.")
        firmware = replace(_with_task(machine, failed).firmware, mishap="", broken=(*state.broken, *running.versions))
        return replace(machine, firmware=firmware)
    if percent == HALF and state.mishap == "erase failed" and running.drive is not None:
        failed = replace(running, percent=percent, state="Exception", message="The task was aborted.")
        return replace(machine, firmware=replace(_with_task(machine, failed).firmware, mishap=""))
    if percent < WHOLE:
        return _with_task(machine, replace(running, percent=percent))
    done = _with_task(machine, replace(running, percent=WHOLE, state="Completed"))
    if running.drive is not None:
        return replace(done, firmware=replace(done.firmware, erased=(*done.firmware.erased, running.drive)))
    practice = firmware_practice.load().dialects[machine.dialect]
    kinds = {name: entry.activate for name in running.versions if (entry := practice.component(name))}
    of = {entry.component: entry.of for entry in dialect.firmware}
    staged = {name: StagedFirmware(to, kinds.get(name, "none"), of[name]) for name, to in running.versions.items()}
    return activated(
        replace(done, firmware=replace(done.firmware, staged={**done.firmware.staged, **staged})), {"none"}
    )


def write_updates(documents: dict[str, Document], machine: TwinMachine, spoken: SpokenUpdates) -> None:
    """Add the update service and its tasks to `documents`, which already hold the inventory."""
    service = documents[f"{ROOT}/UpdateService"]
    service |= {"@odata.type": "#UpdateService.v1_11_0.UpdateService", "ServiceEnabled": True}
    for name, path in (("MultipartHttpPushUri", spoken.multipart), ("HttpPushUri", spoken.push)):
        if path:
            service[name] = path
    if spoken.answer == "none":
        last = machine.firmware.tasks[-1].state if machine.firmware.tasks else "Idle"
        states = {"Running": "Updating", "Completed": "Complete", "Exception": "Error"}
        service["Oem"] = {"Hpe": {"State": states.get(last, last)}}
    if spoken.most_bytes:
        service["MaxImageSizeBytes"] = spoken.most_bytes
    times: dict[str, Any] = {"SupportedValues": spoken.apply_times}
    if spoken.apply_times and spoken.multipart:
        service["MultipartHttpPushUri@Redfish.OperationApplyTimeSupport"] = times
    if spoken.simple:
        listed = {"TransferProtocol@Redfish.AllowableValues": spoken.protocols} if spoken.protocols else {}
        service["Actions"] = {"#UpdateService.SimpleUpdate": {"target": spoken.simple, **listed}}
    documents[f"{ROOT}/"]["Tasks"] = {"@odata.id": f"{ROOT}/TaskService"}
    documents[f"{ROOT}/TaskService"] = {
        "@odata.id": f"{ROOT}/TaskService", "@odata.type": "#TaskService.v1_2_0.TaskService", "Id": "TaskService", "Name": "Tasks",
        "Tasks": {"@odata.id": TASKS},
    }  # fmt: skip
    listed_tasks = () if spoken.answer == "none" else machine.firmware.tasks
    tasks = [task_document(task, spoken) for task in listed_tasks]
    documents[TASKS] = build_collection(TASKS, "TaskCollection", [task["@odata.id"] for task in tasks])
    documents |= {task["@odata.id"]: task for task in tasks}
    if spoken.power_cycle:
        documents[f"{ROOT}{spoken.power_cycle.holder}"]["Actions"] = {
            **documents[f"{ROOT}{spoken.power_cycle.holder}"].get("Actions", {}),
            "Oem": {spoken.power_cycle.action: {"target": spoken.power_cycle.target}},
        }


def task_document(task: UpdateTask, spoken: SpokenUpdates) -> Document:
    """Document of a task in the dialect `spoken`."""
    path = f"{TASKS}/{spoken.task.format(n=task.number)}"
    bad = task.state == "Exception"
    message = {
        "MessageId": "Update.1.0.ApplyFailed" if task.drive is None else "TaskEvent.1.0.TaskAborted",
        "Message": task.message,
        "Severity": "Critical",
    }
    return {
        "@odata.id": path, "@odata.type": "#Task.v1_4_3.Task", "Id": path.rpartition("/")[2], "Name": "Firmware update" if task.drive is None else "Drive sanitize", "TaskState": task.state,
        "TaskStatus": "Critical" if bad else "OK", "PercentComplete": task.percent, "Messages": [message] if bad else [],
    }  # fmt: skip


def _with_task(machine: TwinMachine, changed: UpdateTask) -> TwinMachine:
    tasks = tuple(changed if task.number == changed.number else task for task in machine.firmware.tasks)
    return replace(machine, firmware=replace(machine.firmware, tasks=tasks))
