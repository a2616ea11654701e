"""Runs work concurrently."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import Any, TypeVar

Result = TypeVar("Result")


async def together(*work: Awaitable[Any]) -> list[Any]:
    """The results of all of `work`, which runs at the same time; the first error, in the order of `work`, once all have ended."""
    results = await asyncio.gather(*work, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return results


async def nothing() -> None:
    """Stands in `together` for work that need not be done."""


async def as_they_end(work: Iterable[Callable[[], Awaitable[Result]]], at_once: int) -> AsyncIterator[Result]:
    """Yield the result of each of `work` in the order of completion, running `at_once` of them at the same time.

    If the caller stops iterating, the others are cancelled and awaited.
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
