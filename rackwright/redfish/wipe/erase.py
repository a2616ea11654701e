"""Erases the drives of one machine through its BMC, one after the other, each with evidence.

What breaks off is named until a request comes to its end. Another request erases all drives, those that the broken one erased as well: nobody knows what was
written since. A task that still runs is waited for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from rackwright.base.errors import OutsideError
from rackwright.model.resource import Machine
from rackwright.redfish import crawl, inventory
from rackwright.redfish.reply import UNAUTHORIZED, BmcError
from rackwright.redfish.resources.text_members import word
from rackwright.redfish.update.task import TaskDeadline, TaskEnd, Visit, follow, task_path
from rackwright.redfish.wipe.drives import ErasableDrive, read_drives, require_erasable
from rackwright.redfish.wipe.record import WipeRecord


class EraseTrouble(NamedTuple):
    """Why there is no evidence that a drive is erased."""

    serial: str
    kind: Literal["failed", "unproven"]
    """Its erase did not end well, or it did and the drive could not be read back."""
    words: str


@dataclass(frozen=True)
class DriveEraser:
    """Carries out one request."""

    declared: Machine
    visit: Visit
    record: WipeRecord
    log: Callable[[str], None]
    deadline: TaskDeadline

    async def carry_out(self) -> None:
        """Erase every drive that this request has not erased yet. OutsideError with the drives that are not erased, or not proven to be, why, and the next step."""
        policy, name = self.declared.wipe, self.declared.name
        async with self.visit() as client:
            system = inventory.host_system(await crawl.crawl_machine(client))
            drives = await read_drives(client, system.path)
        self.record.note("drives", {"documents": [dict(drive.document) for drive in drives]})
        if system.power_state != "On":
            raise OutsideError(
                f"no drive of {name} was erased: it is {system.power_state}, and its drives have no power. `rackwright up SITE --nodes {name}` powers it on; then run again"
            )
        require_erasable(name, drives, policy)
        self.record.ask(self.declared.erase, policy, drives)
        troubles = [trouble for drive in drives if (trouble := await self._trouble(drive))]
        if troubles:
            good = len(drives) - len(troubles)
            raise OutsideError(
                f"{_described(troubles, len(drives), name)}. The other {good} are erased ({self.record.path}). "
                f"`rackwright up SITE --wipe {name}` erases all of them again; pull and destroy a drive that still fails"
            )
        self.record.finish(drives, policy)
        self.log(f"{len(drives)} drives are erased ({policy}): {', '.join(drive.serial for drive in drives)}")

    async def _trouble(self, drive: ErasableDrive) -> EraseTrouble | None:
        """Why `drive` is not erased, or not proven to be; None where it is."""
        if drive.serial in self.record.erased(self.declared.erase):
            return None
        kind: Literal["failed", "unproven"] = "failed"
        try:
            if not (words := await self._erase(drive)):
                kind = "unproven"
                words = await self._proven(drive)
        except OutsideError as error:
            words = str(error)
        if not words:
            return None
        self.record.step(kind, drive, policy=self.declared.wipe, words=words)
        return EraseTrouble(drive.serial, kind, words)

    async def _erase(self, drive: ErasableDrive) -> str:
        """Have the drive erased, and wait for the end of its task; why it did not end well, else empty."""
        policy = self.declared.wipe
        path = self.record.task(drive.serial)
        end = await self._followed(drive, path) if path else None
        proves = path and path == self.record.task_of(self.declared.erase, drive.serial)
        if end is None or end.outcome == "vanished" or not proves:  # nor does a task that nobody knows any more
            body = drive.request(policy)
            self.record.step("sent", drive, policy=policy, request=body, status=0, task="")
            async with self.visit() as client:
                reply = await client.post(drive.erase_path, body)
            path = task_path(reply)
            self.record.step("sent", drive, policy=policy, request=body, status=reply.status, task=path)
            end = await self._followed(drive, path) if path else None
        if end and end.outcome != "completed":
            return end.words or f"its task {path} vanished from the BMC"
        return ""

    async def _followed(self, drive: ErasableDrive, path: str) -> TaskEnd:
        return await follow(
            self.visit, path, self.deadline, self.record.note, self.log, f"erase of drive {drive.serial}"
        )

    async def _proven(self, drive: ErasableDrive) -> str:
        """Wait until the drive has no operation any more, and see that it is still the one that was erased; why it is not proven, else empty."""
        for pause in self.deadline.pauses(self.deadline.silent_seconds):
            try:
                async with self.visit() as client:
                    document = await client.get(drive.path)
            except BmcError as error:
                if error.reason == UNAUTHORIZED:
                    raise
                await asyncio.sleep(pause)
                continue
            self.record.note("after", {"drive": drive.serial, "document": document})
            if _works(document):
                await asyncio.sleep(pause)
                continue
            if (serial := word(document, "SerialNumber").strip()) != drive.serial:
                return f"another drive is in its place now: {serial or 'none'}"
            self.record.step("erased", drive, policy=self.declared.wipe)
            return ""
        return f"it is still at work, or its BMC silent, after {self.deadline.silent_seconds / 60:.0f} minutes"


def _described(troubles: Sequence[EraseTrouble], count: int, name: str) -> str:
    """A sentence for the drives that are not erased, and one for those whose erase ended and that could not be read back."""
    called = {
        "failed": "are not erased",
        "unproven": "ended their erase and could not be read back afterwards, so nothing proves it",
    }
    by_kind = {kind: [f"{it.serial} ({it.words})" for it in troubles if it.kind == kind] for kind in called}
    return ". ".join(
        f"{len(texts)} of {count} drives of {name} {called[kind]}: {'; '.join(texts)}"
        for kind, texts in by_kind.items()
        if texts
    )


def _works(document: Mapping[str, object]) -> bool:
    """Whether the drive is busy with an operation; one without a name is none (NVIDIA/libredfish c094c9e, tests/mockups/nvidia_gb200)."""
    listed = document.get("Operations")
    return isinstance(listed, list) and any(
        isinstance(entry, Mapping) and entry.get("OperationName") for entry in listed
    )
