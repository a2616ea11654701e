"""Calls the ``kubectl`` of this machine, with the account of its kubeconfig."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

from rackwright.base import concurrency, foreign, foreign_command

LISTING = foreign.limit("scheduler_listing")
CALL_SECONDS = LISTING.seconds
"""Time limit of one call, in seconds."""


class KubectlError(Exception):
    """A call of kubectl failed; the text names the subcommand and the last line of its error output."""


class Kubectl:
    """kubectl in one namespace. Create it inside the event loop that calls it."""

    def __init__(self, namespace: str) -> None:
        self._words = ("kubectl", f"--namespace={namespace}")
        self._places = asyncio.Semaphore(concurrency.at_once("kubectl_calls"))

    async def call(self, *words: str, feed: bytes = b"", most: int = 0) -> bytes:
        """Standard output of one call.

        RefusedAnswerError beyond `most` bytes (default: the limit for a list of all nodes); KubectlError if the call
        fails or takes longer than `CALL_SECONDS`.
        """
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
        """Output of a call with ``--output=json``, parsed. ValueError for malformed JSON."""
        document: dict[str, Any] = foreign.json_document(await self.call(*words, "--output=json"), LISTING)
        return document

    async def follow(self, *words: str) -> AsyncIterator[bytes]:
        """Standard output block by block, until the command ends by itself."""
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
