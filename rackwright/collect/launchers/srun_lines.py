"""Determines which node a line of srun's output is from.

The node is taken from srun, never from the line itself: srun labels every line with the number of its task, and names
the node of each task on its own error output before it starts any (slurm, src/common/write_labelled_message.c and
src/api/step_launch.c, read 2026-11-23). Lines of tasks are labelled there too, so that no task can imitate a message of
srun.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import asyncssh

from rackwright.base import foreign

MOST_LINE = 1 << 16
"""Bytes kept of a line without an end: a longer one is noise, and all nodes share our memory."""

TASK = re.compile(rb"srun: launching \S+ on host (\S+), 1 tasks: (\d+)")
"""Message of ``srun -v`` about each task."""
LABEL = re.compile(rb" *(\d+): (.*)", re.DOTALL)
"""A line of a task with ``--label``."""
PIECE = 1024
"""Length in bytes from which srun tears a line and labels the rest as a separate line (slurm, src/common/io_hdr.h,
``SLURM_IO_MAX_MSG_LEN``).
"""
ERRORS = (b"srun: error: ", b"srun: fatal: ")


class OwnWords:
    """Reads the error output of srun: its own errors, and the node of each task."""

    def __init__(self, stderr: asyncssh.SSHReader[bytes]) -> None:
        self.error = ""
        """The last error of srun."""
        self._stderr = stderr
        self._buffer = bytearray()
        self._tasks: dict[int, str] = {}

    async def tasks(self, count: int) -> Mapping[int, str]:
        """Number of a task -> its node. Waits until srun has named `count` of them, or has ended."""
        while len(self._tasks) < count and await self._take():
            pass
        return dict(self._tasks)

    async def drain(self) -> None:
        """Read to the end, so that srun never blocks on a full pipe."""
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
    """The number of the task that printed a line, and the line without its label; -1 and nothing for a line without a
    label.
    """
    match = LABEL.fullmatch(line)
    return (int(match[1]), match[2]) if match else (-1, b"")


def nodes_of_tasks(stderr: bytes) -> dict[int, str]:
    """Number of a task -> its node, by the first message of srun about it."""
    matches = [match for line in stderr.split(b"\n") if (match := TASK.fullmatch(line))]
    return {int(match[2]): match[1].decode(errors="replace") for match in reversed(matches)}


def by_task(stdout: bytes) -> dict[int, bytes]:
    """Number of a task -> its output, with lines that srun has torn joined again."""
    printed: dict[int, bytearray] = {}
    for line in stdout.split(b"\n"):
        task, words = labelled(line)
        if task >= 0:
            printed.setdefault(task, bytearray()).extend(words if len(words) >= PIECE else words + b"\n")
    return {task: bytes(content) for task, content in printed.items()}


def errors(stderr: bytes, nodes: Mapping[int, str]) -> bytes:
    """The error output without srun's progress messages; each line of a task is preceded by the name of its node."""
    stored = []
    for line in stderr.split(b"\n"):
        task, words = labelled(line)
        if task in nodes:
            stored.append(nodes[task].encode() + b": " + words)
        elif not line.startswith(b"srun: ") or line.startswith(ERRORS):
            stored.append(line)
    return b"\n".join(stored)


def lines(buffer: bytearray, block: bytes) -> list[bytes]:
    """The lines that `block` completes; the rest stays in `buffer`, unless it is longer than `MOST_LINE`."""
    buffer += block
    *complete, partial = bytes(buffer).split(b"\n")
    buffer[:] = partial if len(partial) <= MOST_LINE else b""
    return complete
