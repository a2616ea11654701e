"""State that the handlers of requests share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime

from aiohttp import web

from rackwright.serve.bounds import ServerBounds
from rackwright.serve.logins import FailedLogins
from rackwright.serve.outbox import Outbox
from rackwright.serve.status_watch import StatusWatch
from rackwright.serve.tokens import TokenFile

Release = Callable[[str], Awaitable[str]]
"""Asks the gate to decide on a node now, and to make the schedulers follow; returns why that failed, empty if it did
not.
"""


@dataclass
class ServerContext:
    """The state of one server."""

    site: str
    watch: StatusWatch
    tokens: TokenFile
    logins: FailedLogins
    outbox: Outbox
    release: Release
    bounds: ServerBounds
    now: Callable[[], datetime]
    log: Callable[[str], None]
    answered: Counter[int] = field(default_factory=Counter)
    """HTTP status -> number of requests answered with it."""


CONTEXT = web.AppKey("context", ServerContext)
