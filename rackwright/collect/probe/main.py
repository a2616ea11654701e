"""Reads the request, asks everything at the same time, writes each answer as it comes, and always ends.

In: ``{"commands": [{"id", "argv" or "library", "seconds"}], "seconds": optional limit of the whole}``.
Out: lines ``{"id", "rc", "stdout", "stderr", "seconds", "error", "tool", "clock"}`` (output in base64, `clock` in ISO 8601 by
the node's clock), then ``{"id": "end"}``. A question that cannot be asked is an answer with an error, never an exception.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import time
from typing import Any

from . import answer, command

SPARE_SECONDS = 5.0
"""What the whole run gets on top of the longest command: killing a command that does not want to die takes a second."""


def main() -> int:
    """The exit status: 0 when every question has a line, also when that line is an error."""
    commands, limit = _read()
    answers: queue.Queue[dict[str, Any]] = queue.Queue()
    for one in commands:
        threading.Thread(target=_ask, args=(one, answers), daemon=True).start()
    waiting = {str(one.get("id")): one for one in commands}
    ends = time.monotonic() + limit
    while waiting:
        try:
            said = answers.get(timeout=max(0.0, ends - time.monotonic()))
        except queue.Empty:
            break
        if waiting.pop(said["id"], None) is not None:
            _write(said)
    for identity in waiting:
        _write(answer.failed(identity, "timeout", limit))
    _write({"id": "end"})
    return 0


def _read() -> tuple[list[dict[str, Any]], float]:
    try:
        return _commands(json.loads(sys.stdin.buffer.read().decode()))
    except Exception as error:  # noqa: BLE001 - whatever was sent, the sender gets a line that says so
        _write(answer.failed("request", f"not a request: {type(error).__name__}: {error}", 0.0))
        return [], 0.0


def _commands(document: dict[str, Any]) -> tuple[list[dict[str, Any]], float]:
    """The commands, and the limit of the whole run in seconds."""
    commands = [dict(one) for one in document["commands"]]
    if len({str(one["id"]) for one in commands}) < len(commands):
        raise ValueError("two commands have one id")
    longest = max([float(one.get("seconds") or command.DEFAULT_SECONDS) for one in commands], default=0.0)
    return commands, float(document.get("seconds") or longest + SPARE_SECONDS)


def _ask(one: dict[str, Any], answers: queue.Queue[dict[str, Any]]) -> None:
    identity = str(one.get("id"))
    try:
        answers.put(command.run(identity, one))
    except Exception as error:  # noqa: BLE001 - a fault of ours must not cost the other answers
        answers.put(answer.failed(identity, f"{type(error).__name__}: {error}", 0.0))


def _write(line: dict[str, Any]) -> None:
    try:
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()
    except OSError:
        os._exit(1)  # nobody listens any more
