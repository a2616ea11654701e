"""Brings the firmware of one machine to its baseline: image by image in the declared order, each in force before the next is sent.

Whatever breaks off is a state that the next run goes on from: a task that still runs is waited for, an image that a BMC has taken is not sent again,
and a component that is neither old nor new is written anew.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby

from rackwright.base.errors import OutsideError
from rackwright.model.resource import FirmwareUpdate, Machine
from rackwright.redfish.firmware import Component, is_older, outdated, read_firmware
from rackwright.redfish.reply import UNAUTHORIZED, BmcError
from rackwright.redfish.update.activation import activate
from rackwright.redfish.update.image import FirmwareImages
from rackwright.redfish.update.record import UpdateRecord
from rackwright.redfish.update.service import read_service, send
from rackwright.redfish.update.task import TaskDeadline, Visit, follow, running, task_path

Components = dict[str, Component]


@dataclass(frozen=True)
class FirmwareChanger:
    """Updates one machine; `again` is what to run after trouble."""

    declared: Machine
    visit: Visit
    images: FirmwareImages
    record: UpdateRecord
    log: Callable[[str], None]
    deadline: TaskDeadline

    async def bring(self) -> None:
        """Send what is not in force. OutsideError with what happened, how the component is now, and the next step."""
        if not self._due(components := await self._inventory("before")):
            return
        if await self._continued():
            components = await self._inventory("before")
        due = self._due(components)
        for update in due:
            self._require_newer(outdated(self.declared.firmware, update, components), components)
        # FirmwareImages that need the power taken away are sent one after the other, and it is taken away once.
        for _, group in groupby(
            due, key=lambda update: update.activate if update.activate == "power-cycle" else update.sha256
        ):
            await self._bring(list(group), components)
            components = await self._inventory("before")

    def _due(self, components: Components) -> list[FirmwareUpdate]:
        return [update for update in self.declared.updates if outdated(self.declared.firmware, update, components)]

    async def _bring(self, group: list[FirmwareUpdate], components: Components) -> None:
        names = [name for update in group for name in outdated(self.declared.firmware, update, components)]
        for update in group:
            stale = outdated(self.declared.firmware, update, components)
            step = self.record.last(update.sha256)
            if step not in {"completed", "activated"} or any(components[name].broken for name in stale):
                await self._send(update, stale, components)
        if all(self.record.last(update.sha256) == "activated" for update in group):
            await self._require_in_force(group)  # the run before ended while it waited
        elif waiting := await self._not_in_force(group, at_once=True):
            if not await activate(self.declared.name, group[-1], self.visit, self.deadline, self.log):
                self.log(f"firmware of {', '.join(waiting)} comes into force when the machine is powered on")
                return
            for update in group:
                self.record.step("activated", update.sha256, how=update.activate)
            await self._require_in_force(group)
        for update in group:
            self.record.step("in force", update.sha256)
        self.log(", ".join(f"firmware of {name} is {self.declared.firmware[name]}" for name in names))

    def _require_newer(self, names: list[str], components: Components) -> None:
        for name in names:
            version, installed = self.declared.firmware[name], components[name].version
            if is_older(version, installed) and not self.declared.downgrade:
                raise OutsideError(
                    f"firmware of {name} of {self.declared.name} would go back from {installed} to {version}: nothing was sent; correct the baseline, or "
                    "allow it for the site with firmware_updates.downgrade: true"
                )

    async def _continued(self) -> bool:
        """Whether tasks of an earlier run, or of somebody else, were waited for."""
        tasks = {path: update for update in self.declared.updates if (path := self.record.task(update.sha256))}
        async with self.visit() as client:
            paths = list(dict.fromkeys([*tasks, *await running(client)]))
        for path in paths:
            self.log(f"waits for the task {path} of its BMC, which an earlier run or somebody else began")
            end = await follow(self.visit, path, self.deadline, self.record.note, self.log)
            if path in tasks:
                self.record.step(
                    "completed" if end.outcome == "completed" else "failed", tasks[path].sha256, words=end.words
                )
        return bool(paths)

    async def _send(self, update: FirmwareUpdate, names: list[str], components: Components) -> None:
        image = await self.images.fetch(update.url, update.sha256)
        changes = ", ".join(f"{name} {components[name].words} -> {self.declared.firmware[name]}" for name in names)
        async with self.visit() as client:
            service = await read_service(client, self.declared.name)
            self.record.step("sent", update.sha256, url=update.url, changes=changes, service=dict(service.document))
            how, reply = await send(client, service, update, image)
            path = task_path(reply) or next(iter(await running(client)), service.path)
        self.record.step("sent", update.sha256, status=reply.status, task=path, how=how)
        self.log(f"firmware {changes}: image sent ({how})")
        end = await follow(self.visit, path, self.deadline, self.record.note, self.log)
        if end.outcome == "failed":
            self.record.step("failed", update.sha256, words=end.words)
            raise OutsideError(
                await self._state(
                    f"the update of {', '.join(names)} failed ({end.words or 'its BMC does not say why'})", names
                )
            )
        if end.outcome == "vanished":
            # A BMC that flashes itself forgets the task when it restarts; of other components nothing is known then.
            if await self._not_in_force([update], at_once=update.activate in {"host", "power-cycle"}):
                self.record.step("failed", update.sha256, words="task vanished")
                raise OutsideError(await self._state(f"the update task {path} vanished from the BMC", names))
            return
        self.record.step("completed", update.sha256)

    async def _state(self, what: str, names: list[str]) -> str:
        """The sentence for trouble, with what the components are now."""
        now = await self._inventory("after")
        states = ", ".join(f"{name} is {now[name].words if name in now else 'not listed'}" for name in names)
        return (
            f"{what}; {states} on {self.declared.name}. Look at the log of its BMC and do not switch it off; then run "
            f"`rackwright up SITE --nodes {self.declared.name} --firmware` again, which sends the image anew"
        )

    async def _require_in_force(self, group: list[FirmwareUpdate]) -> None:
        if names := await self._not_in_force(group, at_once=False):
            for update in group:
                self.record.step("failed", update.sha256, words="not in force")
            how = group[-1].activate
            raise OutsideError(
                await self._state(
                    f"the new firmware of {', '.join(names)} is not in force after its activation ({how})", names
                )
            )

    async def _not_in_force(self, group: list[FirmwareUpdate], *, at_once: bool) -> list[str]:
        """Components of `group` that are not of their version; unless `at_once`, after as long as a boot may take."""
        names: list[str] = []
        for pause in self.deadline.pauses(self.deadline.silent_seconds):
            components = await self._inventory("after")
            names = [name for update in group for name in outdated(self.declared.firmware, update, components)]
            if not names or at_once:
                break
            await asyncio.sleep(pause)
        return names

    async def _inventory(self, kind: str) -> Components:
        """As the BMC lists it, stored first; a BMC that restarts is waited for."""
        pauses = [*self.deadline.pauses(self.deadline.silent_seconds), 0.0]
        for pause in pauses:
            try:
                async with self.visit() as client:
                    components = await read_firmware(client)
            except BmcError as error:
                if error.reason == UNAUTHORIZED or not pause:
                    raise
                await asyncio.sleep(pause)
            else:
                self.record.note(kind, {"inventory": {name: list(entry) for name, entry in components.items()}})
                return components
        raise AssertionError("the last look returns or raises")
