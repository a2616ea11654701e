"""Opens the ledger's database by URL and brings its schema up to date."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from rackwright.base.errors import OutsideError, UsageError
from rackwright.ledger import chain

NEWEST = "0007"
"""The newest migration, repeated here so that opening an up-to-date ledger does not load Alembic (0.3 s)."""

BUSY_SECONDS = 30
"""How long a process waits for the transaction of another one."""
LOOK_SECONDS = 0.02
READS = "rackwright_reads"
"""Option of a read-only connection: it sees the ledger as it is at its beginning, and does not block writers."""


def open_engine(url: str) -> Engine:
    """An engine on the database at `url`, its schema brought up to date."""
    engine = _engine(url)
    try:
        if _revision(engine) != NEWEST:
            _upgrade(engine)
    except DBAPIError as error:
        raise _closed(engine, error) from error
    return engine


def schema_of(url: str) -> tuple[str, str]:
    """The schema version of the database at `url` (empty before its first use), and that of this code. Nothing is
    changed.

    OutsideError for a database that cannot be opened; UsageError for a malformed URL.
    """
    engine = _engine(url)
    try:
        return _revision(engine) or "", NEWEST
    except DBAPIError as error:
        raise _closed(engine, error) from error
    finally:
        engine.dispose()


def _closed(engine: Engine, error: DBAPIError) -> OutsideError:
    reason = str(error.orig).strip().splitlines()[0]
    return OutsideError(
        f"the ledger {without_password(engine.url)} cannot be opened: {reason}; check the path or the server"
    )


def _engine(url: str) -> Engine:
    try:
        parsed = make_url(url)
        engine = create_engine(parsed, connect_args=_connect_args(parsed), pool_pre_ping=True)
    except (ArgumentError, NoSuchModuleError) as error:
        raise UsageError("the ledger needs a URL like sqlite:///FILE or postgresql://USER@HOST/DATABASE") from error
    except ModuleNotFoundError as error:
        raise UsageError(f"this ledger URL needs the Python package {error.name}: pip install {error.name}") from error
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def _connect_args(url: URL) -> dict[str, Any]:
    return {"timeout": BUSY_SECONDS} if url.get_backend_name() == "sqlite" else {"connect_timeout": BUSY_SECONDS}


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    """WAL and full syncs: committed data survives kill -9 and power loss."""
    connection.isolation_level = None  # we send BEGIN ourselves: the driver's own does not cover schema changes
    _write_ahead(connection)
    for pragma in ("synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _write_ahead(connection: Any) -> None:
    """Switch to WAL; if several processes do so at once, SQLite refuses all but one without waiting, so the others try
    again.
    """
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() >= deadline:
                raise
            time.sleep(LOOK_SECONDS)
        else:
            return


def _begin_sqlite(connection: Connection) -> None:
    """Take the write lock first, so that two processes queue up instead of one failing half-way."""
    connection.exec_driver_sql("BEGIN" if connection.get_execution_options().get(READS) else "BEGIN IMMEDIATE")


def _revision(engine: Engine) -> str | None:
    with engine.connect() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return None
        return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _upgrade(engine: Engine) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    try:
        with engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
            if chain.head(connection) is None:
                chain.cover_everything(connection)
    except CommandError as error:
        raise OutsideError(
            f"the ledger {without_password(engine.url)} was written by a newer rackwright: upgrade rackwright ({error})"
        ) from error


def without_password(url: URL) -> str:
    """The URL without its password, for messages."""
    return url.render_as_string(hide_password=True)
