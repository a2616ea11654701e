"""A server on a loopback socket over a real ledger, in the event loop of a test."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import aiohttp
import pytest

from rackwright import collect, gate
from rackwright.flow.acceptance_board import AcceptanceBoard
from rackwright.ledger import Ledger
from rackwright.model.gate import GroupDecision
from rackwright.model.node_state import DecidedState
from rackwright.model.site import Webhook
from rackwright.serve.bounds import ServerBounds, load_bounds
from rackwright.serve.context import ServerContext
from rackwright.serve.logins import FailedLogins
from rackwright.serve.outbox import Outbox
from rackwright.serve.server import Listening, listening
from rackwright.serve.status_watch import StatusSource, StatusWatch
from rackwright.serve.tokens import TokenFile
from tests import build

NODES = [node.name for node in build.site_design().nodes("accelerator")]
START = datetime(2026, 11, 21, 9, tzinfo=UTC)


@dataclass
class Site:
    """What a test acts on."""

    folder: Path
    ledger: Ledger
    bounds: ServerBounds = field(default_factory=load_bounds)
    webhooks: Sequence[Webhook] = ()
    now: datetime = START
    log: list[str] = field(default_factory=list)
    released: list[str] = field(default_factory=list)
    """Nodes whose release was requested of the gate."""
    clock: float = 0.0
    port: int = 0
    board: StatusSource | None = None
    """That of the example when empty."""

    def decide(self, refused: Sequence[str] = (), nodes: Sequence[str] = NODES) -> None:
        """A run of the gate."""
        design = build.site_design()
        run = self.ledger.begin("h100-pod", "gate", {})
        decisions = [build.decision(node, accepted=node not in refused) for node in nodes]
        states = {node: DecidedState(collect.node_digest(design.node(node)), "boot", "580") for node in nodes}
        groups = [
            GroupDecision(
                gate=step.name, scope=step.scope, group=group, open=not {*members} & {*refused}, passed=0,
                covered=len(members), reason="why",
            )
            for step in gate.load_chain("handover")
            for group, members in gate.node_groups(design, nodes).get(step.scope, {}).items()
        ]  # fmt: skip
        self.ledger.record_decisions(run, decisions, groups, states)

    def token(self, scope: str = "read", name: str = "slurm", days: int = 90) -> str:
        return TokenFile(self.folder / "tokens.json").add(name, scope, days, self.now)

    async def ask_gate(self, node: str) -> str:
        self.released.append(node)
        return ""

    def outbox(self) -> Outbox:
        return Outbox(self.folder / "outbox.db", "h100-pod", self.webhooks, self.bounds, lambda: self.now)

    def context(self, outbox: Outbox) -> ServerContext:
        board = self.board or AcceptanceBoard(build.site_design(), self.ledger)
        watch = StatusWatch(board, outbox.record)
        logins = FailedLogins(self.bounds, lambda: self.clock)
        return ServerContext(
            "h100-pod", watch, TokenFile(self.folder / "tokens.json"), logins, outbox, self.ask_gate, self.bounds,
            lambda: self.now, self.log.append,
        )  # fmt: skip

    @asynccontextmanager
    async def serving(self, **where) -> AsyncIterator[aiohttp.ClientSession]:
        """The server, and a session of a client without a token."""
        with closing(self.outbox()) as outbox:
            context = self.context(outbox)
            async with listening(context, Listening(**({"host": "127.0.0.1", "port": 0, "certificate": None, "key": None} | where))) as port:  # fmt: skip
                self.port = port
                scheme = "https" if where.get("certificate") else "http"
                async with aiohttp.ClientSession(f"{scheme}://127.0.0.1:{port}") as session:
                    yield session

    def bound(self, **change: float) -> None:
        self.bounds = replace(self.bounds, **change)


@pytest.fixture(scope="session")
def empty_ledger(tmp_path_factory) -> Path:
    """Made once: its migrations take most of a second."""
    path = tmp_path_factory.mktemp("serve") / "ledger.db"
    Ledger(f"sqlite:///{path}").close()
    return path


@pytest.fixture
def site(tmp_path, empty_ledger):
    shutil.copy(empty_ledger, tmp_path / "ledger.db")
    ledger = Ledger(f"sqlite:///{tmp_path / 'ledger.db'}", lambda: START)
    yield Site(tmp_path, ledger)
    ledger.close()


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


async def get(session: aiohttp.ClientSession, path: str, token: str = "", status: int = 200):
    """The JSON of an answer."""
    async with session.get(path, headers=bearer(token) if token else {}) as answer:
        assert answer.status == status, await answer.text()
        return await answer.json(content_type=None)


def play(coroutine):
    """Run a test's coroutine."""
    return asyncio.run(asyncio.wait_for(coroutine, 120))
