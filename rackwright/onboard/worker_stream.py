"""What the worker of one node says, in the form of ``ansible-runner worker``: bounded, and about this node alone.

The reader of ansible-runner is not used: it unpacks an archive that the node sends, links and all, and names files by what the node says. Here the
archive is passed over, since the events before it hold the same.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any

from rackwright.base import foreign

LINE = foreign.limit("worker_line")
STREAM = foreign.limit("worker_stream")
GREETING = foreign.limit("beginning")
"""Of what a login shell says before the worker does."""
EVENTS, STDOUT = "events.jsonl", "stdout"
"""Files beside each other in the artifacts of a node: its events, and what its Ansible printed."""
ENDED = "the connection ended before the worker did"

Handle = Callable[[Mapping[str, Any]], bool]
"""Takes an event; whether it is kept."""


class _Stream:
    """Lines and bytes of a node, up to the limits. RefusedAnswerError beyond."""

    def __init__(self, back: IO[bytes]) -> None:
        self._back, self._read, self._ends = back, 0, time.monotonic() + STREAM.seconds

    def line(self) -> bytes:
        """The next line; empty at the end."""
        return self._counted(self._back.readline(LINE.bytes + 1))

    def skip(self, count: int) -> None:
        """Pass over `count` bytes."""
        while count > 0 and (block := self._counted(self._back.read(min(count, foreign.BLOCK)))):
            count -= len(block)

    def _counted(self, content: bytes) -> bytes:
        self._read += len(content)
        if len(content) > LINE.bytes:
            raise foreign.RefusedAnswerError(f"a line of more than {foreign.size(LINE.bytes)}", content)
        if self._read > STREAM.bytes:
            raise foreign.RefusedAnswerError(f"more than {foreign.size(STREAM.bytes)}", content)
        if time.monotonic() > self._ends:
            raise foreign.RefusedAnswerError(f"a play that takes more than {STREAM.seconds / 3600:g} hours")
        return content


def answer(back: IO[bytes]) -> dict[str, Any] | None:
    """The first words of the bootstrap; a login shell that greets comes before them."""
    read = 0
    while (read := read + len(line := back.readline(GREETING.bytes))) <= GREETING.bytes and line:
        try:
            words = foreign.json_document(line, LINE) if line.startswith(b"{") else None
        except ValueError:  # a greeting
            continue
        if isinstance(words, dict) and words.get("rackwright") == "worker" and ("have" in words or "refused" in words):
            return words
    return None


def process(back: IO[bytes], node: str, handle: Handle, artifacts: Path) -> str:
    """Hand the events of `node` to `handle` and keep them in `artifacts`; why the worker failed, empty when it came to its end."""
    artifacts.mkdir(mode=0o700, parents=True)
    stream, reasons = _Stream(back), list[str]()
    with (artifacts / EVENTS).open("wb") as events, (artifacts / STDOUT).open("w", encoding="utf-8") as printed:
        try:
            while line := stream.line():
                message = foreign.json_document(line, LINE)
                if "status" in message:
                    reasons += [str(message.get("job_explanation", "the worker failed"))] * (
                        message["status"] == "error"
                    )
                elif "zipfile" in message:
                    stream.skip(-(-int(message["zipfile"]) // 3) * 4)  # in base64
                elif "eof" in message:
                    return reasons[0] if reasons else ""
                elif message.get("event") != "keepalive":
                    refuse_others(node, message)
                    printed.write(f"{text}\n" if (text := message.get("stdout")) else "")
                    if handle(message):
                        events.write(json.dumps(message).encode() + b"\n")
        except Exception as error:  # noqa: BLE001 - whatever a node sends costs its own play, and nobody else's
            return f"the node answered with {error or type(error).__name__}, which no worker sends: find out what answers there"
    return reasons[0] if reasons else ENDED


def refuse_others(node: str, message: Mapping[str, Any]) -> None:
    """ValueError for an event about another host."""
    data = message.get("event_data") or {}
    counted = [name for counts in data.values() if isinstance(counts, Mapping) for name in counts]
    named = counted if message.get("event") == "playbook_on_stats" else [data["host"]] if "host" in data else []
    for name in named:
        if name != node:
            raise ValueError(f"an event about {str(name)[:80]!r}")
