"""Limits of time that are reached without waiting for them: the clock of a loop stands still while anything happens, and jumps where nothing does.

For tests whose server runs in the loop of its client. However busy the machine is, no limit is reached but by an end that lets the other wait.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

Answer = TypeVar("Answer")
GRACE = 0.1
"""Real seconds that what was sent may take to the other end of its connection, which the kernel hands on later while it is busy."""


class _Selector(selectors.DefaultSelector):
    """Takes what has arrived; where nothing has, and no thread works for the loop, the time that the loop would wait is over."""

    skipped = 0.0
    threads = 0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None or timeout <= 0 or self.threads:
            return super().select(timeout)
        events = super().select(GRACE)
        if not events and not self.threads:
            self.skipped += timeout
        return events


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self.hurried = _Selector()
        super().__init__(self.hurried)

    def time(self) -> float:
        """Seconds that everybody waited."""
        return self.hurried.skipped

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:
        """As any loop's; until the thread is through, the clock stands still."""
        self.hurried.threads += 1
        future = super().run_in_executor(executor, func, *args)
        future.add_done_callback(self._thread_ended)
        return future

    def _thread_ended(self, _future: asyncio.Future[Any]) -> None:
        self.hurried.threads -= 1


def run(work: Coroutine[Any, Any, Answer]) -> Answer:
    """As `asyncio.run`."""
    with asyncio.Runner(loop_factory=_Loop) as runner:
        return runner.run(work)
