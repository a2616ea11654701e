"""Simulated BMCs count wrong passwords and lock the account for a while, as their dialects define it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from http import HTTPStatus

from rackwright.twin.bmc.actions import RequestRefused
from rackwright.twin.bmc.dialect import Dialect

WORDS = "The authentication credentials were missing or invalid."
"""Also for a locked account, so that guessing passwords does not reveal a right one."""


class Lockouts:
    """Wrong passwords and locked accounts of all BMCs."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._wrong: Counter[str] = Counter()
        self._until: dict[str, float] = {}

    def judge(self, node: str, dialect: Dialect | None, *, accepted: bool) -> None:
        """Count an attempt at the BMC of `node`; RequestRefused unless the password is `accepted` and the account open."""
        if self._clock() < self._until.get(node, 0.0):
            raise RequestRefused(HTTPStatus.UNAUTHORIZED, WORDS)
        if accepted:
            self._wrong.pop(node, None)
            return
        self._wrong[node] += 1
        if dialect and dialect.lockout and self._wrong[node] >= dialect.lockout.threshold:
            self._until[node] = self._clock() + dialect.lockout.seconds
            self._wrong.pop(node)
        raise RequestRefused(HTTPStatus.UNAUTHORIZED, WORDS)
