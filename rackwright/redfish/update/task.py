"""Tasks of a BMC: which run, and how the one that carries an update ends.

Schema: https://redfish.dmtf.org/schemas/v1/Task.json; of monitors DSP0266, Asynchronous operations.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from http import HTTPStatus
from typing import Any, Literal, NamedTuple

from yarl import URL

from rackwright.base.errors import OutsideError
from rackwright.redfish.client import Client
from rackwright.redfish.reply import ABSENT, UNAUTHORIZED, BmcError, Reply
from rackwright.redfish.resources.links import link, links
from rackwright.redfish.resources.numbers import maybe
from rackwright.redfish.resources.text_members import word

Visit = Callable[[], AbstractAsyncContextManager[Client]]
"""Logs in to the BMC and out again. Each look at a task is a visit of its own: a BMC that restarts forgets its sessions."""
Note = Callable[[str, Mapping[str, Any]], None]
"""Stores what the BMC answered, before anything is made of it: what it is, and the document."""
GONE = {*ABSENT, HTTPStatus.GONE}
BUSY = frozenset({"Uploading", "Verifying", "Writing", "Updating"})
"""States of HPE's update service while it works (schema HpeiLOUpdateServiceExt 2.3.0); its updates have no task."""
GOOD, BAD = "Completed", frozenset({"Exception", "Killed", "Cancelled", "Aborted"})
"""``Aborted`` is no state of the schema: bmcweb of NVIDIA has it for the erase of a drive (createSanitizeProgressTask of its storage)."""
MOST = 64
"""Tasks of a BMC that are looked at, the newest."""


class TaskDeadline(NamedTuple):
    """How long an update may take."""

    poll_seconds: float = 10.0
    task_seconds: float = 5400.0
    """A GPU tray of eight accelerators takes up to an hour."""
    silent_seconds: float = 900.0
    """A BMC that flashes itself answers nothing for some minutes."""

    def pauses(self, seconds: float) -> Iterator[float]:
        """Pauses between looks, `seconds` together at least: short ones first, since small components take seconds."""
        pause, spent = self.poll_seconds / 32, 0.0
        while spent <= seconds:
            yield pause
            spent += pause
            pause = min(2 * pause, self.poll_seconds)


class TaskEnd(NamedTuple):
    """How a task ended."""

    outcome: Literal["completed", "failed", "vanished"]
    words: str = ""
    """What the BMC says about it."""


def task_path(reply: Reply) -> str:
    """Where the task of an accepted request is; empty where the BMC has none, or does not tell."""
    try:
        body = reply.document("", "")
    except OutsideError:
        body = {}
    if "TaskState" in body or "#Task." in word(body, "@odata.type"):
        return word(body, "@odata.id")
    location = reply.headers.get("Location", "")
    return URL(location).raw_path if location else ""


async def running(client: Client) -> list[str]:
    """Paths of the tasks that have not ended; empty for a BMC without a task service."""
    service = link(await client.root(), "Tasks")
    listing = link(await client.get_optional(service) or {}, "Tasks") if service else ""
    paths = links(await client.get_optional(listing) or {}, "Members")[-MOST:] if listing else []
    documents = [await client.get_optional(path) for path in paths]
    return [
        path
        for path, document in zip(paths, documents, strict=True)
        if word(document or {}, "TaskState") not in {"", GOOD, *BAD}
    ]


async def follow(
    visit: Visit, path: str, deadline: TaskDeadline, note: Note, log: Callable[[str], None], what: str = "update"
) -> TaskEnd:
    """Wait until what is at `path` ends: a task, its monitor, or the work of the update service itself; `log` gets each tenth of the way of `what`.

    OutsideError for a BMC that stays silent, refuses the account, or does not end in time.
    """
    silent, tenth = 0.0, 0
    for pause in deadline.pauses(deadline.task_seconds):
        try:
            async with visit() as client:
                reply, silent = await client.observe(path), 0.0
        except BmcError as error:
            silent += pause
            if error.reason == UNAUTHORIZED or silent > deadline.silent_seconds:
                raise
            await asyncio.sleep(pause)
            continue
        document = _document(reply)
        note("task", {"path": path, "status": reply.status, "document": document})
        if end := _end(reply, document):
            return end
        percent = int(maybe(document.get("PercentComplete")) or 0)
        if percent // 10 > tenth:
            tenth = percent // 10
            log(f"{what} is at {percent} %")
        await asyncio.sleep(pause)
    raise OutsideError(
        f"the {what} task {path} has not ended after {deadline.task_seconds / 60:.0f} minutes: look at the BMC's own page of tasks, then run again, which waits on"
    )


def _end(reply: Reply, document: Mapping[str, Any]) -> TaskEnd | None:
    """None while it runs, or the BMC is busy."""
    if reply.status in GONE:
        return TaskEnd("vanished")
    if reply.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return None
    if reply.status >= HTTPStatus.BAD_REQUEST:  # a monitor gives the answer of the operation itself
        return TaskEnd("failed", reply.message or f"HTTP {reply.status}")
    if "#UpdateService." in word(document, "@odata.type"):
        return _service_end(document)
    state = word(document, "TaskState")
    if state == GOOD or (not state and reply.status != HTTPStatus.ACCEPTED):
        bad = word(document, "TaskStatus") in {"Warning", "Critical"}
        return TaskEnd("failed" if bad else "completed", _words(document) if bad else "")
    return TaskEnd("failed", _words(document) or state) if state in BAD else None


def _service_end(document: Mapping[str, Any]) -> TaskEnd | None:
    """Of a BMC that has no tasks for updates: by the state of its service, where that has one."""
    oem = document.get("Oem")
    makers = [part for part in oem.values() if isinstance(part, Mapping)] if isinstance(oem, Mapping) else []
    state = next((state for part in makers if (state := word(part, "State"))), "")
    if state in BUSY:
        return None
    return TaskEnd("failed", "its UpdateService has the state Error") if state == "Error" else TaskEnd("completed")


def _document(reply: Reply) -> dict[str, Any]:
    try:
        return reply.document("", "")
    except OutsideError:
        return {}


def _words(document: Mapping[str, Any]) -> str:
    """The last message that is worse than OK, else the last."""
    listed = document.get("Messages")
    messages = [entry for entry in listed if isinstance(entry, Mapping)] if isinstance(listed, list) else []
    worse = [
        entry for entry in messages if (word(entry, "Severity") or word(entry, "MessageSeverity")) not in {"", "OK"}
    ]
    return word((worse or messages or [{}])[-1], "Message").rstrip(".")
