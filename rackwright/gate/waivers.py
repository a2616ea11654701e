"""Reads a waiver file: named persons accept named defects on named nodes until a date."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from datetime import date
from pathlib import Path

from rackwright.base import tables
from rackwright.base.errors import Problem, ProblemsError
from rackwright.base.tables import TableRow
from rackwright.model.gate import Waiver
from rackwright.model.verdict import Verdict

NAMES = re.compile(r"[*?\[]")
SEPARATOR = "; "
"""Between the readings of one observation."""


def load_waivers(path: Path | None, checks: Collection[str], nodes: Collection[str]) -> list[Waiver]:
    """The waivers of `path`, in file order; none without a file.

    Raises ProblemsError for an invalid row, an unknown check or node, a pattern instead of a name, an empty reason or person, an
    invalid end date, or two waivers of the same defect.
    """
    if path is None:
        return []
    rows: list[TableRow[Waiver]] = tables.load_tables(path, {"waivers": Waiver})["waivers"]
    problems = [problem for row in rows for problem in _wrong(row, checks, nodes)]
    first_places: dict[tuple[str, str, str], str] = {}
    for row in rows:
        key = (row.record.check, row.record.node, row.record.object)
        if key in first_places:
            problems.append(_problem(row, "check", "is waived twice", "one waiver", f"another at {first_places[key]}"))
        first_places.setdefault(key, row.place)
    if problems:
        raise ProblemsError(problems)
    return [row.record for row in rows]


def covers(waiver: Waiver, verdict: Verdict) -> bool:
    """True if `waiver` covers the defect in `verdict`; a waiver of one part does not cover a verdict that shows a second part."""
    if (waiver.check, waiver.node) != (verdict.check, verdict.target):
        return False
    if not waiver.object:
        return True
    # "GPU" is a kind of parts: before the number of one it names that one as little as any other.
    kind = "" if any(map(str.isdigit, waiver.object)) else r"(?! \d)"
    named = re.compile(rf"(?<!\w){re.escape(waiver.object)}(?!\w){kind}")
    readings = [part for part in verdict.observed.split(SEPARATOR) if part]
    return bool(readings) and all(named.search(part) for part in readings)


def days_left(waiver: Waiver, today: date) -> int:
    """Days for which `waiver` still holds after `today`; negative if it has ended."""
    return (waiver.last_day - today).days


def expired_waivers(waivers: Iterable[Waiver], today: date) -> list[str]:
    """One sentence for every waiver that has ended on `today`."""
    return [
        f"{waiver.node}: the waiver of {waiver.check} by {waiver.by} ended on {waiver.until} and no longer holds"
        for waiver in waivers
        if waiver.last_day < today
    ]


def _wrong(row: TableRow[Waiver], checks: Collection[str], nodes: Collection[str]) -> Iterable[Problem]:
    waiver = row.record
    for field, names in (("check", checks), ("node", nodes)):
        value = getattr(waiver, field)
        if NAMES.search(value):
            yield _problem(row, field, "is a pattern", "one name: a waiver is for what somebody looked at", value)
        elif value not in names:
            yield _problem(row, field, "does not exist", f"one of the {len(names)} {field}s", value)
    if NAMES.search(waiver.object):
        yield _problem(row, "object", "is a pattern", "one part, as findings name it", waiver.object)
    for field in ("reason", "by"):
        if not getattr(waiver, field).strip():
            yield _problem(row, field, "is empty", "who accepts it, and why", "nothing")
    try:
        proper = waiver.last_day.isoformat() == waiver.until
    except ValueError:
        proper = False
    if not proper:
        yield _problem(row, "until", "is no date", "YYYY-MM-DD", waiver.until)


def _problem(row: TableRow[Waiver], field: str, message: str, expected: str, value: str) -> Problem:
    return Problem(row.place, field, message, expected, value, "mend the waiver, or remove it", "gate.waiver")
