"""Runs a program of this machine whose output comes from elsewhere, with limits on time and size."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence

from rackwright.base import foreign

GRACE_SECONDS = 1.0
"""How long a killed program may take to end."""


async def communicate(process: asyncio.subprocess.Process, feed: bytes, most: int) -> tuple[bytes, bytes]:
    """Send `feed` to a process and return both its outputs after its end.

    RefusedAnswerError beyond `most` bytes of an output.
    """
    stdin, stdout, stderr = process.stdin, process.stdout, process.stderr
    assert stdin is not None
    assert stdout is not None
    assert stderr is not None

    async def write() -> None:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # its own messages tell more
            stdin.write(feed)
            await stdin.drain()
        stdin.close()

    try:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(write())
            output, error = (tasks.create_task(foreign.read_all(stream, most)) for stream in (stdout, stderr))
    except BaseExceptionGroup as several:
        raise several.exceptions[0] from None
    await process.wait()
    return output.result(), error.result()


async def end(process: asyncio.subprocess.Process) -> None:
    """Kill the process if it still runs. Its pipes are emptied for a moment, because asyncio waits for their end."""
    if process.returncode is not None:
        return
    process.kill()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(GRACE_SECONDS):
            await asyncio.gather(*(_empty(stream) for stream in (process.stdout, process.stderr) if stream))
            await process.wait()


async def _empty(stream: asyncio.StreamReader) -> None:
    while await stream.read(foreign.BLOCK):
        pass


def run(argv: Sequence[str], most: foreign.ForeignLimit, feed: bytes = b"") -> tuple[int, bytes, bytes]:
    """Exit status and both outputs of a program with the input `feed`.

    FileNotFoundError without the program; TimeoutError and RefusedAnswerError beyond `most`.
    """
    return asyncio.run(_run(argv, most, feed))


async def _run(argv: Sequence[str], most: foreign.ForeignLimit, feed: bytes) -> tuple[int, bytes, bytes]:
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*argv, stdin=pipe, stdout=pipe, stderr=pipe)
    try:
        async with asyncio.timeout(most.seconds):
            output, error = await communicate(process, feed, most.bytes)
    finally:
        await end(process)
    return process.returncode or 0, output, error
