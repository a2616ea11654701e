"""Records the work of roles on nodes while they run, in batches."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from types import TracebackType
from typing import Protocol, Self

from rackwright.ledger.records import RoleEvent

BATCH = 500
"""Events of one commit."""
SECONDS = 5.0
"""Longest time between two commits: a killed run loses no more than this, and readers of the ledger see a slow run as
well.
"""


class RoleEventWriter(Protocol):
    """Stores events (`Ledger`)."""

    def record_roles(self, run: str, events: list[RoleEvent]) -> None:
        """Store `events` of `run`."""


class RoleEventStream:
    """The events of roles in one run; all are written at the end of the block, however it ends."""

    def __init__(
        self,
        ledger: RoleEventWriter,
        run: str,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._ledger, self._run, self._now, self._clock = ledger, run, now, clock
        self._waiting: list[RoleEvent] = []
        self._written = clock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.flush()

    def add(self, node: str, role: str, act: str, status: str, seconds: float, changed: tuple[str, ...], message: str) -> None:  # fmt: skip
        """Add one event; see `RoleEvent`."""
        self._waiting.append(RoleEvent(node, role, act, status, seconds, changed, message, self._now()))
        if len(self._waiting) >= BATCH or self._clock() - self._written >= SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write the waiting events."""
        waiting, self._waiting = self._waiting, []
        self._written = self._clock()
        self._ledger.record_roles(self._run, waiting)
