"""Tells by srun itself which node a line of its output is from.

Whose line it is says srun, never the node: it labels every line with the number of its task, and names the node of each task on its
own error output before it starts any (slurm, src/common/write_labelled_message.c and src/api/step_launch.c, read 2026-11-23). There the lines of tasks are
labelled too, so that no task can say what srun says.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import asyncssh

from rackwright.base import foreign

MOST_LINE = 1 << 16
"""Bytes of a line without an end that are kept: more is somebody's noise, and all nodes share what we have for it."""

TASK = re.compile(rb"srun: launching \S+ on host (\S+), 1 tasks: (\d+)")
"""What srun says with ``-v`` of each task."""
LABEL = re.compile(rb" *(\d+): (.*)", re.DOTALL)
"""A line of a task with ``--label``."""
PIECE = 1024
"""Bytes from which on srun tears a line, and labels the rest of it as a line of its own (slurm, src/common/io_hdr.h, ``SLURM_IO_MAX_MSG_LEN``)."""
ERRORS = (b"srun: error: ", b"srun: fatal: ")


class OwnWords:
    """What srun itself says on its error output, and which task of a step is on which node."""

    def __init__(self, stderr: asyncssh.SSHReader[bytes]) -> None:
        self.error = ""
        """Its last error."""
        self._stderr = stderr
        self._buffer = bytearray()
        self._tasks: dict[int, str] = {}

    async def tasks(self, count: int) -> Mapping[int, str]:
        """By number of the task: its node. Waits until srun has named `count` of them, or has ended."""
        while len(self._tasks) < count and await self._take():
            pass
        return dict(self._tasks)

    async def drain(self) -> None:
        """Read on until the end, so that nothing waits for us."""
        while await self._take():
            pass

    async def _take(self) -> bool:
        block = await self._stderr.read(foreign.BLOCK)
        for line in lines(self._buffer, block):
            if match := TASK.fullmatch(line):
                self._tasks.setdefault(int(match[2]), match[1].decode(errors="replace"))
            elif line.startswith(ERRORS):
                self.error = line.decode(errors="replace")
        return bool(block)


def labelled(line: bytes) -> tuple[int, bytes]:
    """The number of the task that a line is from, and what it printed; -1 for a line that is no task's."""
    match = LABEL.fullmatch(line)
    return (int(match[1]), match[2]) if match else (-1, b"")


def nodes_of_tasks(stderr: bytes) -> dict[int, str]:
    """By number of the task: its node, by what srun itself says first."""
    matches = [match for line in stderr.split(b"\n") if (match := TASK.fullmatch(line))]
    return {int(match[2]): match[1].decode(errors="replace") for match in reversed(matches)}


def by_task(stdout: bytes) -> dict[int, bytes]:
    """What each task printed; lines that srun has torn are whole again."""
    printed: dict[int, bytearray] = {}
    for line in stdout.split(b"\n"):
        task, words = labelled(line)
        if task >= 0:
            printed.setdefault(task, bytearray()).extend(words if len(words) >= PIECE else words + b"\n")
    return {task: bytes(content) for task, content in printed.items()}


def errors(stderr: bytes, nodes: Mapping[int, str]) -> bytes:
    """The error output without what srun tells of its work, each line of a task behind the name of its node."""
    stored = []
    for line in stderr.split(b"\n"):
        task, words = labelled(line)
        if task in nodes:
            stored.append(nodes[task].encode() + b": " + words)
        elif not line.startswith(b"srun: ") or line.startswith(ERRORS):
            stored.append(line)
    return b"\n".join(stored)


def lines(buffer: bytearray, block: bytes) -> list[bytes]:
    """The lines that `block` completes; what is left stays in `buffer`, unless it is longer than any line of the probe."""
    buffer += block
    *complete, partial = bytes(buffer).split(b"\n")
    buffer[:] = partial if len(partial) <= MOST_LINE else b""
    return complete
