"""Calls ``kubectl`` of this machine, with the account that its owner gave it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

from rackwright.base import foreign, foreign_command

LISTING = foreign.limit("scheduler_listing")
CALL_SECONDS = LISTING.seconds
"""How long one call may take."""
AT_ONCE = 16
"""Calls at the same time; each is a process of some 50 MB (kubectl 1.32 on amd64, measured 2026-11-22)."""


class KubectlError(Exception):
    """A call of kubectl failed; the text is its last line."""


class Kubectl:
    """kubectl in one namespace; made inside the event loop that calls it."""

    def __init__(self, namespace: str) -> None:
        self._words = ("kubectl", f"--namespace={namespace}")
        self._places = asyncio.Semaphore(AT_ONCE)

    async def call(self, *words: str, feed: bytes = b"", most: int = 0) -> bytes:
        """What it printed. RefusedAnswerError beyond `most` bytes (default: those of a list of all nodes)."""
        async with self._places, self._started(*words) as process:
            try:
                async with asyncio.timeout(CALL_SECONDS):
                    output, error = await foreign_command.communicate(process, feed, most or LISTING.bytes)
            except TimeoutError:
                raise KubectlError(f"kubectl {words[0]} did not answer within {CALL_SECONDS:g} s") from None
            if process.returncode:
                raise KubectlError(f"kubectl {words[0]}: {_last_line(error)}")
            return output

    async def json(self, *words: str) -> dict[str, Any]:
        """Its output, parsed as JSON. ValueError for malformed JSON."""
        document: dict[str, Any] = foreign.json_document(await self.call(*words, "--output=json"), LISTING)
        return document

    async def follow(self, *words: str) -> AsyncIterator[bytes]:
        """What it prints, block by block, until it ends by itself."""
        async with self._started(*words) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            while block := await process.stdout.read(foreign.BLOCK):
                yield block
            if await process.wait():
                raise KubectlError(f"kubectl {words[0]}: {_last_line(await process.stderr.read(foreign.BLOCK))}")

    @contextlib.asynccontextmanager
    async def _started(self, *words: str) -> AsyncIterator[asyncio.subprocess.Process]:
        pipe = asyncio.subprocess.PIPE
        try:
            process = await asyncio.create_subprocess_exec(*self._words, *words, stdin=pipe, stdout=pipe, stderr=pipe)
        except FileNotFoundError:
            raise KubectlError("there is no kubectl on this machine") from None
        try:
            yield process
        finally:
            await foreign_command.end(process)


def _last_line(error: bytes) -> str:
    lines = error.decode(errors="replace").strip().splitlines() or ["it printed nothing"]
    return lines[-1]
