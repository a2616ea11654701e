"""The hash chain of the ledger: each transaction adds a link with hashes of the rows that it wrote, and with the hash
of the previous link.

A segment is a set of rows of one table and one run that were written together. Rows that are written again (the end of
a step, the outcome of a run) form a segment with the same key, which replaces the earlier one; a link also names the
runs whose rows it removed from a table. So the links together define the content of every row of the ledger
(`rackwright.ledger.audit`).

A change of the columns of a table needs a migration that ends with `cover_everything`.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from itertools import islice
from operator import itemgetter
from typing import Any
from zlib import crc32

from pydantic_core import to_json
from sqlalchemy import JSON, Connection, Float, Table, delete, func, insert, select, text
from sqlalchemy.orm import Session

from rackwright.ledger.insertion import insert_rows
from rackwright.ledger.tables import LedgerTable, LinkRow, RunRow, StepRow, UtcDateTime
from rackwright.model.ledger_head import LedgerHead

AT_ONCE = 10_000
"""Rows of one segment, which are in memory at once."""
LOCK = 0x7261636B
"""Key of PostgreSQL's advisory lock: transactions append links one after the other."""
LINKS: Table = LedgerTable.metadata.tables[LinkRow.__tablename__]
RUNS: Table = LedgerTable.metadata.tables[RunRow.__tablename__]
STEPS: Table = LedgerTable.metadata.tables[StepRow.__tablename__]


@dataclass(frozen=True)
class Segment:
    """Rows that were written together."""

    table: str
    run: str
    first: int
    """Id of the first row; 0 for the run itself, whose id is not a number."""
    last: int
    rows: int
    sha256: str
    """SHA-256 over the rows in the order of their ids."""
    marks: str
    """CRC-32 of each row in hex: they prove nothing, but show which row differs."""

    @property
    def key(self) -> tuple[str, str, int]:
        """A later segment with this key replaces this one."""
        return self.table, self.run, self.first


class LinkWriter:
    """Writes rows in one transaction, and at its end the link that covers them."""

    def __init__(self, session: Session) -> None:
        self._connection = session.connection()
        self._covers: list[list[Any]] = []
        if self._connection.dialect.name == "postgresql":
            self._connection.execute(text(f"SELECT pg_advisory_xact_lock({LOCK})"))

    def add(self, kind: type[LedgerTable], rows: Iterable[dict[str, Any]]) -> int:
        """Add rows of one run, all with the same columns; returns the id of the last one."""
        table, rest, last = table_of(kind), iter(rows), 0
        while some := list(islice(rest, AT_ONCE)):
            run, contents = str(some[0].get("run", "")), row_bytes(table, some)
            before = self._connection.scalar(select(func.max(table.c.id))) or 0
            insert_rows(self._connection, table, some)
            first, last = self._connection.execute(
                select(func.min(table.c.id), func.max(table.c.id)).where(table.c.id > before)
            ).one()
            self._covers.append(_covered_values(_segment(table, run, (first, last), contents)))
        return last

    def add_run(self, row: dict[str, Any]) -> None:
        """Add a run."""
        self._connection.execute(insert(RUNS), [row])
        self.rewritten(RUNS, row["id"])

    def rewritten(self, table: Table, run: str, row: int = 0) -> None:
        """Cover the current content of row number `row` of `run`, or of the run itself.

        KeyError if it does not exist.
        """
        contents = [content for _, content in stored_rows(self._connection, table, run, row)]
        if not contents:
            raise KeyError(run)
        self._covers.append(_covered_values(_segment(table, run, (row, row), contents)))

    def clear(self, kind: type[LedgerTable], run: str) -> None:
        """Remove all rows of a run from a table."""
        table = table_of(kind)
        if self._connection.execute(delete(table).where(table.c.run == run)).rowcount:
            self._covers.append([table.name, run])

    def close(self) -> None:
        """Append the link, if anything was written."""
        if self._covers:
            append_link(self._connection, self._covers)


def head(connection: Connection) -> LedgerHead | None:
    """The last link; None before the first one."""
    newest = select(LINKS.c.id, LINKS.c.hash).order_by(LINKS.c.id.desc()).limit(1)
    row = connection.execute(newest).first()
    return LedgerHead(link=row.id, hash=row.hash) if row else None


def append_link(connection: Connection, covers: Sequence[Sequence[Any]]) -> None:
    """Append a link with `covers`: segments, and pairs of a table and a run whose rows were removed from it."""
    before = head(connection)
    number, previous = (before.link + 1, before.hash) if before else (1, "")
    content = json.dumps(covers, separators=(",", ":"), ensure_ascii=False)
    link = {"id": number, "covers": content, "previous": previous, "hash": link_hash(number, previous, content)}
    connection.execute(insert(LINKS), [link])


def link_hash(number: int, previous: str, covers: str) -> str:
    """The hash of a link, in hex."""
    return sha256(f"{number}\n{previous}\n{covers}".encode()).hexdigest()


def cover_everything(connection: Connection) -> None:
    """Append a link that covers all rows in their current state, for a ledger that had no chain, or other columns."""
    covers: list[list[Any]] = []
    for table in covered_tables():
        owner = table.c.id if table is RUNS else table.c.run
        for run in connection.scalars(select(owner).distinct().order_by(owner)):
            rows = iter(stored_rows(connection, table, run))
            while some := list(islice(rows, AT_ONCE)):
                covers.append(
                    _covered_values(_segment(table, run, (some[0][0], some[-1][0]), [content for _, content in some]))
                )
    if covers:
        append_link(connection, covers)


def covered_tables() -> list[Table]:
    """The tables whose rows the chain covers."""
    return [table for table in LedgerTable.metadata.sorted_tables if table is not LINKS]


def table_of(kind: type[LedgerTable]) -> Table:
    """The table of a kind of row."""
    return LedgerTable.metadata.tables[kind.__tablename__]


def stored_rows(connection: Connection, table: Table, run: str, row: int = 0) -> Iterator[tuple[int, bytes]]:
    """Id and content of the rows of a run, in the order of their ids; with `row` only of the row with that id."""
    query = select(table).where((table.c.id if table is RUNS else table.c.run) == run)
    if row:
        query = query.where(table.c.id == row)
    result = connection.execute(query.order_by(table.c.id), execution_options={"yield_per": AT_ONCE})
    for some in result.mappings().partitions():
        ids = [0] if table is RUNS else [of_row["id"] for of_row in some]
        yield from zip(ids, row_bytes(table, some), strict=True)


def content_columns(table: Table) -> list[str]:
    """The columns that are part of the content of a row."""
    return [column.name for column in table.columns if column.name != "id" or table is RUNS]


def row_bytes(table: Table, rows: Iterable[Any]) -> list[bytes]:
    """The content of rows as JSON lists of their columns, the same before writing and after reading."""
    names = content_columns(table)
    values_of = itemgetter(*names)
    special = [(place, plain) for place, name in enumerate(names) if (plain := _text_maker(table, name)) is not None]
    contents = []
    for row in rows:
        values = list(values_of(row))
        for place, plain in special:
            values[place] = plain(values[place])
        contents.append(to_json(values))
    return contents


def _text_maker(table: Table, name: str) -> Callable[[Any], Any] | None:
    """The function that converts the values of a column to text; None for a column of text, whole numbers or lists."""
    kind = table.c[name].type
    if isinstance(kind, UtcDateTime):
        return _Times()
    if isinstance(kind, Float):
        return repr
    return _sorted_json if isinstance(kind, JSON) and table is RUNS else None


class _Times:
    """Converts times to text. Rows that were written together share the time object, and its text."""

    def __init__(self) -> None:
        self._last: datetime | None = None
        self._text: str | None = None

    def __call__(self, time: datetime | None) -> str | None:
        if time is not self._last:
            self._last, self._text = time, time.astimezone(UTC).isoformat() if time else None
        return self._text


def _sorted_json(options: Any) -> str:
    return json.dumps(options, sort_keys=True)


def _segment(table: Table, run: str, ids: tuple[int, int], contents: Sequence[bytes]) -> Segment:
    marks = row_marks(contents)
    return Segment(table.name, run, *ids, len(contents), rows_hash(contents), marks.tobytes().hex())


mark = crc32


def row_marks(contents: Iterable[bytes]) -> array[int]:
    """The CRC-32 of each row."""
    return array("I", map(mark, contents))


def marks_of(segment: Segment) -> array[int]:
    """The CRC-32 of the rows of a segment."""
    marks = array("I")
    marks.frombytes(bytes.fromhex(segment.marks))
    return marks


def rows_hash(contents: Sequence[bytes]) -> str:
    """The hash of rows in their order."""
    return sha256(b"\n".join(contents)).hexdigest()


def _covered_values(segment: Segment) -> list[Any]:
    return [segment.table, segment.run, segment.first, segment.last, segment.rows, segment.sha256, segment.marks]
