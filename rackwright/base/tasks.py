"""Work that runs at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import TypeVar

Result = TypeVar("Result")


async def as_they_end(work: Iterable[Callable[[], Awaitable[Result]]], at_once: int) -> AsyncIterator[Result]:
    """The result of each of `work`, in the order in which they end, `at_once` of them at the same time.

    Whoever stops iterating cancels the others and waits for their end.
    """
    places = asyncio.Semaphore(at_once)

    async def run(start: Callable[[], Awaitable[Result]]) -> Result:
        async with places:
            return await start()

    running = [asyncio.create_task(run(start)) for start in work]
    try:
        for task in asyncio.as_completed(running):
            yield await task
    finally:
        for unfinished in running:
            unfinished.cancel()
        await asyncio.gather(*running, return_exceptions=True)
