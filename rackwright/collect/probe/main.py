"""Reads the request, runs all its commands, writes each answer as it arrives, and always ends.

A command that cannot start gives an answer with an error, never an exception.
"""

from __future__ import annotations

import json
import os
import queue
import select
import sys
import threading
import time

from . import answer, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SPARE_SECONDS = 5.0
"""Seconds that the whole run gets in addition to the longest command: killing a stubborn command takes a second."""


LOOK_SECONDS = 1.0
"""Seconds between two checks that the other end still listens."""


def main() -> int:
    """Run the request; exit status 0 if every question has a line, which may be an error."""
    request = _read()
    answers: queue.Queue[dict[str, Any]] = queue.Queue()
    if request.cooldown is None:
        for entry in request.commands:
            threading.Thread(target=_answer_entry, args=(entry, answers), daemon=True).start()
    else:
        threading.Thread(target=_in_turn, args=(request, answers), daemon=True).start()
    waiting = {str(entry.get("id")): entry for entry in request.commands}
    ends = time.monotonic() + request.seconds
    while waiting and (remaining := ends - time.monotonic()) > 0:
        try:
            reply = answers.get(timeout=min(remaining, LOOK_SECONDS))
        except queue.Empty:
            _somebody_listens()
            continue
        if waiting.pop(reply["id"], None) is not None:
            _write(reply)
    for identity in waiting:
        _write(answer.failed(identity, "timeout", request.seconds))
    _write({"id": "end"})
    command.kill_all()
    return 0


class _Request:
    """The questions, and how to run them."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.commands = [dict(entry) for entry in document["commands"]]
        if len({str(entry["id"]) for entry in self.commands}) < len(self.commands):
            raise ValueError("two commands have one id")
        limits = [float(entry.get("seconds") or command.DEFAULT_SECONDS) for entry in self.commands]
        cooldown = document.get("cooldown")
        self.cooldown = None if cooldown is None else float(cooldown)
        together = max(limits, default=0.0) if self.cooldown is None else sum(limits) + self.cooldown * len(limits)
        self.seconds = float(document.get("seconds") or together + SPARE_SECONDS)


def _read() -> _Request:
    try:
        return _Request(json.loads(sys.stdin.buffer.read().decode()))
    except Exception as error:  # noqa: BLE001 - whatever was sent, the sender gets a line about it
        _write(answer.failed("request", f"not a request: {type(error).__name__}: {error}", 0.0))
        return _Request({"commands": []})


def _in_turn(request: _Request, answers: queue.Queue[dict[str, Any]]) -> None:
    """Run one command after the other; a machine that is still hot or busy from one load would spoil the next."""
    for number, entry in enumerate(request.commands):
        if number:
            time.sleep(request.cooldown or 0.0)
        _answer_entry(entry, answers)


def _somebody_listens() -> None:
    """End everything if the other end of our output is gone."""
    look = select.poll()
    look.register(sys.stdout.fileno(), 0)  # poll reports errors and hang-ups without registration
    if look.poll(0):
        command.kill_all()
        os._exit(1)


def _answer_entry(entry: dict[str, Any], answers: queue.Queue[dict[str, Any]]) -> None:
    identity = str(entry.get("id"))
    try:
        answers.put(command.run(identity, entry))
    except Exception as error:  # noqa: BLE001 - our own fault must not cost the other answers
        answers.put(answer.failed(identity, f"{type(error).__name__}: {error}", 0.0))


def _write(line: dict[str, Any]) -> None:
    try:
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()
    except OSError:  # the other end is gone
        command.kill_all()
        os._exit(1)
