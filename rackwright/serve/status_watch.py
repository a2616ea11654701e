"""The statuses of all subjects, read again whenever the ledger has grown; decisions that were changed are never
answered.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from rackwright.base.errors import Problem, RackwrightError
from rackwright.model.acceptance_status import AcceptanceStatus, SubjectKind
from rackwright.model.ledger_head import LedgerHead

Statuses = Mapping[tuple[str, str], AcceptanceStatus]
"""(kind, name) -> status, in the order of the design."""


class StatusSource(Protocol):
    """Source of the statuses (`flow.acceptance_board.AcceptanceBoard`)."""

    def stamp(self) -> object:
        """A value that is equal as long as nothing changed."""

    def head(self) -> LedgerHead | None:
        """The head of the ledger."""

    def problems(self) -> Sequence[Problem]:
        """Problems of decisions that were changed after they were written."""

    def read(self) -> list[AcceptanceStatus]:
        """All statuses."""


class NoAnswerError(RackwrightError):
    """The decisions cannot be read, or were changed, so no answer would be reliable."""


class StatusWatch:
    """The statuses of one site."""

    def __init__(self, board: StatusSource, on_change: Callable[[Sequence[AcceptanceStatus]], object]) -> None:
        """`on_change` is called in a thread with all statuses, before they appear in any answer."""
        self._board, self._on_change = board, on_change
        self._lock, self._changed = asyncio.Lock(), asyncio.Condition()
        self._read = False
        self._stamp: object = None
        self.head: LedgerHead | None = None
        self._statuses: dict[tuple[str, str], AcceptanceStatus] = {}

    async def statuses(self) -> Statuses:
        """The current statuses in the ledger. Raises `NoAnswerError`."""
        async with self._lock:
            fresh = await asyncio.to_thread(self._look)
        if fresh:
            async with self._changed:
                self._changed.notify_all()
        return self._statuses

    async def released(self, key: tuple[str, str], seconds: float) -> AcceptanceStatus:
        """The status of a subject as soon as it is released, at the latest after `seconds`.

        KeyError for an unknown subject.
        """
        deadline = asyncio.get_running_loop().time() + seconds
        status = (await self.statuses())[key]
        while status.state == "held" and (rest := deadline - asyncio.get_running_loop().time()) > 0:
            try:
                async with asyncio.timeout(rest), self._changed:
                    await self._changed.wait()
            except TimeoutError:
                break
            status = (await self.statuses())[key]
        return (await self.statuses())[key]

    async def follow(self, every: float, log: Callable[[str], None]) -> None:
        """Read again after every decision, until cancelled; the reason why nothing can be answered is logged once."""
        logged = ""
        while True:
            reason = await self._reason()
            if reason and reason != logged:
                log(f"nothing is answered: {reason}")
            logged = reason
            await asyncio.sleep(every)

    async def _reason(self) -> str:
        """Why nothing can be answered; empty if it can."""
        try:
            await self.statuses()
        except NoAnswerError as error:
            return str(error)
        return ""

    def _look(self) -> bool:
        """Whether the statuses were read again."""
        try:
            stamp = self._board.stamp()
            if self._read and stamp == self._stamp:
                return False
            head = self._board.head()
            self._read = False
            statuses = _intact_statuses(self._board)
            self._on_change(statuses)
        except NoAnswerError:
            raise
        except RackwrightError as error:
            self._read = False
            raise NoAnswerError(str(error)) from error
        self._statuses = {status.key: status for status in statuses}
        self.head, self._stamp, self._read = head, stamp, True
        return True


def _intact_statuses(board: StatusSource) -> list[AcceptanceStatus]:
    if problems := board.problems():
        raise NoAnswerError(f"the decisions are not what was written: {problems[0].path}: {problems[0].message}")
    return board.read()


def of_kind(statuses: Statuses, kind: SubjectKind) -> list[AcceptanceStatus]:
    """The statuses of one kind."""
    return [status for status in statuses.values() if status.kind == kind]
