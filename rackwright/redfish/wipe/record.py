"""The evidence of wiped drives of a machine: what was requested, what each drive was, how and when it was erased. Stored before it is judged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rackwright.redfish.machine_record import MachineRecord
from rackwright.redfish.wipe.drives import ErasableDrive

BESIDE: Final = ("after", "unproven")
"""What is noted of a drive after the end of its erase: its task is still the last of it."""


class WipeRecord(MachineRecord):
    """Requests of one machine, each from ``asked`` to ``finished``; between them ``sent``, ``erased``, ``failed`` and ``unproven`` of drives."""

    def is_carried_out(self, request: str) -> bool:
        """Whether the request called `request` is over: it is never carried out a second time."""
        return any(entry["kind"] == "finished" and request in entry.get("requests", ()) for entry in self.entries())

    def ask(self, request: str, policy: str, drives: Sequence[ErasableDrive]) -> None:
        """Append that the `drives` are to be erased as `policy` says."""
        listed = [{"serial": drive.serial, "model": drive.model} for drive in drives]
        self.note("asked", {"request": request, "policy": policy, "drives": listed})

    def step(self, kind: str, drive: ErasableDrive, **more: Any) -> None:
        """Append the result of `drive`."""
        self.note(kind, {"drive": drive.serial, "model": drive.model, **more})

    def finish(self, drives: Sequence[ErasableDrive], policy: str) -> None:
        """Append that all `drives` are erased, which ends every request that was open."""
        open_requests = [entry["request"] for entry in self.unfinished() if entry["kind"] == "asked"]
        self.note(
            "finished", {"requests": open_requests, "policy": policy, "drives": [drive.serial for drive in drives]}
        )

    def erased(self, request: str) -> frozenset[str]:
        """Serial numbers of the drives that the request called `request` has erased. What an earlier one erased may hold data again."""
        return frozenset(entry["drive"] for entry in self._of_request(request) if entry["kind"] == "erased")

    def task(self, serial: str) -> str:
        """Path of the task that erases a drive, whose end no run has seen; empty where there is none."""
        return _task(self.unfinished(), serial)

    def task_of(self, request: str, serial: str) -> str:
        """As `task`, of the request called `request` alone."""
        return _task(self._of_request(request), serial)

    def _of_request(self, request: str) -> list[dict[str, Any]]:
        """From its first line, after those of all others."""
        rest = self.unfinished()
        requests = [(number, entry["request"]) for number, entry in enumerate(rest) if entry["kind"] == "asked"]
        others = max((number for number, name in requests if name != request), default=-1)
        begins = [number for number, _ in requests if number > others]
        return rest[begins[0] :] if begins else []

    def unfinished(self) -> list[dict[str, Any]]:
        """What was noted since the last wipe that was finished; empty where none is open."""
        entries = self.entries()
        ends = [number for number, entry in enumerate(entries) if entry["kind"] == "finished"]
        rest = entries[ends[-1] + 1 :] if ends else entries
        begins = [number for number, entry in enumerate(rest) if entry["kind"] == "asked"]
        return rest[begins[0] :] if begins else []

    def last(self) -> str:
        """What the last finished wipe erased, how and when; empty where there was none."""
        ends = [entry for entry in self.entries() if entry["kind"] == "finished"]
        return f"{len(ends[-1]['drives'])} drives, {ends[-1]['policy']}, {ends[-1]['at']}" if ends else ""


def _task(entries: Sequence[dict[str, Any]], serial: str) -> str:
    steps = [entry for entry in entries if entry.get("drive") == serial and entry["kind"] not in BESIDE]
    return str(steps[-1].get("task", "")) if steps and steps[-1]["kind"] == "sent" else ""
