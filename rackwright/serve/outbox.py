"""Messages to webhooks, stored before a change appears in any answer, so that nothing is lost when the server ends.

The last reported states are stored in the same database and change in the same transaction: a server that was down
during a change reports it when it starts again.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from rackwright.base.errors import OutsideError
from rackwright.model.acceptance_status import AcceptanceStatus
from rackwright.model.site import Webhook
from rackwright.model.times import second_text
from rackwright.serve.bounds import ServerBounds

TABLES = """
CREATE TABLE IF NOT EXISTS states (kind TEXT, name TEXT, state TEXT NOT NULL, PRIMARY KEY (kind, name)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS messages (
  id INTEGER PRIMARY KEY, webhook TEXT NOT NULL, message TEXT NOT NULL, body TEXT NOT NULL, tries INTEGER NOT NULL DEFAULT 0,
  due REAL NOT NULL DEFAULT 0, given_up INTEGER NOT NULL DEFAULT 0
);
"""
EVENT = "rackwright.acceptance.changed"


@dataclass(frozen=True)
class Message:
    """One message to one webhook."""

    id: int
    message: str
    """Id of the message, the same at every try."""
    body: str
    tries: int
    due: float
    """Unix time before which it is not sent again."""


class Outbox:
    """The messages of one site."""

    def __init__(
        self, path: Path, site: str, webhooks: Sequence[Webhook], bounds: ServerBounds, now: Callable[[], datetime]
    ) -> None:
        self._site, self._webhooks, self._bounds, self._now = site, webhooks, bounds, now
        self._path, self._lock = path, threading.Lock()
        self._connection = self._open(path)

    def close(self) -> None:
        """Close the database."""
        self._connection.close()

    def record(self, statuses: Sequence[AcceptanceStatus]) -> int:
        """Store changes since the last call as messages; returns the number of changes. The first call reports none."""
        with self._writing() as database:
            before = {(kind, name): state for kind, name, state in database.execute("SELECT * FROM states")}
            changed = (
                [status for status in statuses if before.get(status.key, "held") != status.state] if before else []
            )
            rows = [(status.kind, status.name, status.state) for status in statuses]
            gone = before.keys() - {status.key for status in statuses}
            database.executemany("DELETE FROM states WHERE kind = ? AND name = ?", gone)
            database.executemany("INSERT OR REPLACE INTO states VALUES (?, ?, ?)", rows)
            for webhook in self._webhooks:
                self._store(database, webhook, [s for s in changed if not webhook.kinds or s.kind in webhook.kinds])
        return len(changed)

    def next(self, webhook: str) -> Message | None:
        """The oldest message that waits for `webhook`: a later one is never sent before it. None if none waits."""
        query = (
            "SELECT id, message, body, tries, due FROM messages WHERE webhook = ? AND NOT given_up ORDER BY id LIMIT 1"
        )
        with self._lock:
            row = self._connection.execute(query, (webhook,)).fetchone()
        return Message(*row) if row else None

    def delivered(self, message: Message) -> None:
        """Remove a message."""
        self._execute("DELETE FROM messages WHERE id = ?", message.id)

    def failed(self, message: Message, now: float) -> bool:
        """Schedule a message again after a pause; False if it reached the limit of tries, and is given up."""
        tries = message.tries + 1
        if tries >= self._bounds.tries:
            self._execute("UPDATE messages SET tries = ?, given_up = 1 WHERE id = ?", tries, message.id)
            return False
        pause = min(self._bounds.first_pause_seconds * 2 ** (tries - 1), self._bounds.longest_pause_seconds)
        self._execute("UPDATE messages SET tries = ?, due = ? WHERE id = ?", tries, now + pause, message.id)
        return True

    def counts(self) -> dict[str, tuple[int, int]]:
        """Webhook -> number of messages that wait, and of those given up."""
        query = "SELECT webhook, sum(NOT given_up), sum(given_up) FROM messages GROUP BY webhook"
        with self._lock:
            stored = {name: (waiting, given_up) for name, waiting, given_up in self._connection.execute(query)}
        return {webhook.name: stored.get(webhook.name, (0, 0)) for webhook in self._webhooks}

    def _store(self, database: sqlite3.Connection, webhook: Webhook, changed: Sequence[AcceptanceStatus]) -> None:
        for start in range(0, len(changed), self._bounds.message_changes):
            message = f"msg_{secrets.token_hex(16)}"
            body = _body(self._site, self._now(), changed[start : start + self._bounds.message_changes])
            database.execute(
                "INSERT INTO messages (webhook, message, body) VALUES (?, ?, ?)", (webhook.name, message, body)
            )
        most = (webhook.name, webhook.name, self._bounds.messages)
        oldest = "SELECT id FROM messages WHERE webhook = ? ORDER BY id DESC LIMIT -1 OFFSET ?"
        database.execute(f"DELETE FROM messages WHERE webhook = ? AND id IN ({oldest})", most)  # noqa: S608 - no text of others

    def _execute(self, statement: str, *values: Any) -> None:
        with self._writing() as database:
            database.execute(statement, values)

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        try:
            with self._lock, self._connection as database:
                database.execute("BEGIN IMMEDIATE")
                yield database
        except sqlite3.Error as error:
            raise OutsideError(
                f"{self._path} cannot be written to: {error}; look at its disk, then start again"
            ) from error

    def _open(self, path: Path) -> sqlite3.Connection:
        try:
            database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            path.chmod(0o600)
            for pragma in ("journal_mode=WAL", "synchronous=FULL"):
                database.execute(f"PRAGMA {pragma}")
            database.executescript(TABLES)
            names = [webhook.name for webhook in self._webhooks]
            places = ", ".join("?" * len(names))
            database.execute(f"DELETE FROM messages WHERE webhook NOT IN ({places})", names)  # noqa: S608 - question marks
        except (sqlite3.Error, OSError) as error:
            raise OutsideError(f"{path} cannot be opened: {error}; look at its disk, or move the file away") from error
        return database


def _body(site: str, now: datetime, changed: Sequence[AcceptanceStatus]) -> str:
    content = {
        "type": EVENT,
        "timestamp": second_text(now),
        "data": {"site": site, "changes": [status.model_dump() for status in changed]},
    }
    return json.dumps(content, ensure_ascii=True)
