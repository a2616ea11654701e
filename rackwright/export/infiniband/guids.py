"""Known GUIDs, read from a table that fills as hardware arrives.

A CSV file with the columns ``device``, ``port``, ``node_guid``, ``port_guid``; the port of a switch itself is empty. Nothing is ever made up: a GUID
that is not in the table is written as unknown.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

from rackwright.base.errors import Problem, ProblemsError
from rackwright.export.export_request import Guid, Guids

COLUMNS = ("device", "port", "node_guid", "port_guid")
_GUID = re.compile(r"^(?:0x)?([0-9a-fA-F]{16})$")
_SEPARATED = re.compile(r"[:-]")


def read(path: Path) -> Guids:
    """The table in `path`; rows without a GUID are skipped. Raises `ProblemsError`, all mistakes at once."""
    try:
        rows = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8 text"
        raise ProblemsError([_problem(str(path), "cannot be read", "a CSV file", reason)]) from error
    if not rows or tuple(rows[0]) != COLUMNS:
        header = ",".join(rows[0]) if rows else "nothing"
        raise ProblemsError([_problem(f"{path}:1", "wrong columns", ",".join(COLUMNS), header)])
    guids: dict[tuple[str, str], Guid] = {}
    problems = list(_rows(path, rows[1:], guids))
    if problems:
        raise ProblemsError(problems)
    return guids


def _rows(path: Path, rows: list[list[str]], guid_by_port: dict[tuple[str, str], Guid]) -> Iterator[Problem]:
    owners: dict[tuple[str, str], str] = {}
    for line, row in enumerate(rows, start=2):
        place, row_text = f"{path}:{line}", ",".join(row)[:80]
        if not row or (len(row) == len(COLUMNS) and not any(cell.strip() for cell in row[2:])):
            continue
        guids = [_read(cell) for cell in row[2:]] if len(row) == len(COLUMNS) else [None]
        if None in guids:
            yield _problem(place, "no GUID", "device,port and GUIDs of 16 hexadecimal digits", row_text)
            continue
        key, of_row = (row[0].strip(), row[1].strip()), [guid or "" for guid in guids]
        owners_ = [owners[at] for at in zip(COLUMNS[2:], of_row, strict=True) if at in owners]
        if key in guid_by_port or owners_:
            yield _problem(
                place, "given twice", "each port and each GUID once", f"{row_text}, also {owners_ or ' '.join(key)}"
            )
            continue
        owners |= {at: " ".join(key) for at in zip(COLUMNS[2:], of_row, strict=True) if at[1]}
        guid_by_port[key] = Guid(*of_row)


def _read(cell: str) -> str | None:
    """A GUID in normal form; empty for an empty text, None for a malformed one."""
    bare = _SEPARATED.sub("", cell.strip())
    match = _GUID.match(bare)
    return f"0x{match[1].lower()}" if match else (None if bare else "")


def _problem(place: str, message: str, expected: str, value: str) -> Problem:
    step = "mend the table of GUIDs; an export without --guids writes one to fill"
    return Problem(place, "", message, expected, value, step, "export.guids")
