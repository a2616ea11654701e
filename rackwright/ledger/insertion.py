"""Inserts many rows with the database driver directly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, Table, insert


def insert_rows(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    """Add rows, all with the same columns; their values are converted in place to those of the driver.

    A site has a million parts, and SQLAlchemy takes several times as long to process one as the database to store it.
    """
    statement = insert(table).compile(dialect=connection.dialect, column_keys=list(rows[0]))
    for name in rows[0]:
        process = table.c[name].type.dialect_impl(connection.dialect).bind_processor(connection.dialect)
        if process is not None:
            _process(rows, name, process)
    columns = statement.positiontup
    values: Any = rows if columns is None else [tuple(map(row.__getitem__, columns)) for row in rows]
    connection.exec_driver_sql(str(statement), values)


def _process(rows: list[dict[str, Any]], name: str, process: Callable[[Any], Any]) -> None:
    """Convert the values of a column for the driver; rows that share a value, such as the time of a run, share the
    result.
    """
    last: Any = rows  # equal to no value of a row
    result: Any = None
    for row in rows:
        if row[name] is not last:
            last = row[name]
            result = process(last)
        row[name] = result
