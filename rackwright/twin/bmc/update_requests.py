"""Requests to a simulated BMC that it runs as tasks: images pushed or fetched, their activation, the erase of a drive."""

from __future__ import annotations

import json
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import aiohttp
from aiohttp import BodyPartReader, web

from rackwright.twin.bmc import drives, updates
from rackwright.twin.bmc.actions import RequestRefused
from rackwright.twin.bmc.dialect import Dialect, SpokenUpdates
from rackwright.twin.bmc.documents import ROOT
from rackwright.twin.bmc.request_body import json_object
from rackwright.twin.hardware import firmware
from rackwright.twin.hardware.parts.updates import UpdateTask
from rackwright.twin.hardware.state import TwinMachine

Change = Callable[[Callable[[TwinMachine], TwinMachine]], TwinMachine]
"""Changes the machine of the BMC."""


async def answer(request: web.Request, dialect: Dialect, change: Change) -> web.Response | None:
    """The answer to a POST; None if it requests none of these tasks. RequestRefused as a real BMC refuses."""
    spoken = dialect.updates
    if request.path.endswith(updates.MANAGER_RESET):
        change(firmware.bmc_restarted)
        return web.Response(status=HTTPStatus.NO_CONTENT)
    if spoken is None:
        return None
    if spoken.power_cycle and request.path == spoken.power_cycle.target:
        if (await json_object(request)).get("ResetType") != spoken.power_cycle.kind:
            raise RequestRefused(
                HTTPStatus.BAD_REQUEST, "The value for ResetType is not in the list of acceptable values."
            )
        change(firmware.power_cycled)
        return web.Response(status=HTTPStatus.NO_CONTENT)
    if dialect.drives and request.path.endswith(drives.ERASE):
        body = await json_object(request)
        return _accepted(_begun(change, lambda machine: drives.begin(machine, request.path, body, dialect)), spoken)
    content, targets = b"", list[str]()
    if request.path == spoken.multipart:
        content, targets = await _form(request)
    elif request.path == spoken.simple:
        content, targets = await _fetched(await json_object(request), spoken)
    elif spoken.push and request.path == spoken.push and spoken.pushes:
        content = await request.read()
    else:
        return None
    return _accepted(_begun(change, lambda machine: updates.begin(machine, dialect, content, targets)), spoken)


def _begun(change: Change, begin: Callable[[TwinMachine], tuple[TwinMachine, UpdateTask]]) -> UpdateTask:
    """The answer after `begin` has given the machine a task."""
    begun: list[UpdateTask] = []

    def with_task(machine: TwinMachine) -> TwinMachine:
        after, task = begin(machine)
        begun.append(task)
        return after

    change(with_task)
    return begun[0]


def _accepted(task: UpdateTask, spoken: SpokenUpdates) -> web.Response:
    """The answer of a BMC that has started `task`; the task is named in the header, in the body, or not at all."""
    document = updates.task_document(task, spoken)
    if spoken.answer == "none":
        success = {"MessageId": "Base.1.0.Success", "Message": "The request completed successfully."}
        return web.json_response({"error": {"@Message.ExtendedInfo": [success]}})
    if spoken.answer == "location":
        return web.Response(status=HTTPStatus.ACCEPTED, headers={"Location": document["@odata.id"]})
    return web.json_response(document, status=HTTPStatus.ACCEPTED)


async def _form(request: web.Request) -> tuple[bytes, list[str]]:
    """File and targets of a form; its parameters come first."""
    if not request.content_type.startswith("multipart/"):
        raise RequestRefused(HTTPStatus.BAD_REQUEST, "The request is no form.")
    parts: dict[str, bytes] = {}
    async for part in await request.multipart():
        if isinstance(part, BodyPartReader):
            parts[part.name or ""] = bytes(await part.read())
    if list(parts) != ["UpdateParameters", "UpdateFile"]:
        raise RequestRefused(HTTPStatus.BAD_REQUEST, "The parts UpdateParameters and UpdateFile are expected.")
    return parts["UpdateFile"], list(json.loads(parts["UpdateParameters"]).get("Targets") or [])


async def _fetched(body: dict[str, Any], spoken: SpokenUpdates) -> tuple[bytes, list[str]]:
    """The image that the BMC fetches itself, and its targets."""
    url, protocol = str(body.get("ImageURI")), str(body.get("TransferProtocol") or "")
    if spoken.protocols and protocol not in spoken.protocols:
        raise RequestRefused(HTTPStatus.BAD_REQUEST, f"The value {protocol} for TransferProtocol is not acceptable.")
    try:
        async with aiohttp.ClientSession(raise_for_status=True) as http, http.get(url) as response:
            return await response.read(), list(body.get("Targets") or [])
    except aiohttp.ClientError as error:
        raise RequestRefused(HTTPStatus.BAD_REQUEST, "The image cannot be fetched.") from error


def concerns(path: str) -> bool:
    """Whether a GET of `path` reads the state of an update."""
    return path.startswith((updates.TASKS, f"{ROOT}/UpdateService"))
