"""Reads a waiver file: named persons accept named defects on named nodes until a date."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from datetime import date
from pathlib import Path

from rackwright.base import tables
from rackwright.base.errors import Problem, ProblemsError
from rackwright.base.tables import TableRow
from rackwright.gate.waiver_policy import WaiverKey, WaiverPolicy
from rackwright.model.gate import Waiver, WaiverSignature
from rackwright.model.verdict import Verdict

NAMES = re.compile(r"[*?\[]")
SEPARATOR = "; "
"""Separator of the readings of one observation."""


def load_waivers(
    path: Path | None, checks: Collection[str], nodes: Collection[str], policy: WaiverPolicy
) -> list[Waiver]:
    """The waivers of `path`, in file order; none without a file. `in_force` selects those that count on a day.

    Raises ProblemsError for an invalid row, an unknown check or node, a pattern instead of a name, an empty reason, a
    person who may not waive or confirms twice, a person whose key did not sign, an invalid date, a count that is waived
    as a whole, or two waivers of the same defect.
    """
    if path is None:
        return []
    read = tables.load_tables(path, {"waivers": Waiver, "signatures": WaiverSignature})
    rows: list[TableRow[Waiver]] = read["waivers"]
    signatures: list[WaiverSignature] = [row.record for row in read["signatures"]]
    problems = [
        problem
        for row in rows
        for problem in (
            *_waiver_problems(row, checks, nodes),
            *_policy_problems(row, policy),
            *_signature_problems(row, policy, signatures),
        )
    ]
    first_places: dict[WaiverKey, str] = {}
    for row in rows:
        key = row.record.key
        if key in first_places:
            problems.append(_problem(row, "check", "is waived twice", "one waiver", f"another at {first_places[key]}"))
        first_places.setdefault(key, row.place)
    if problems:
        raise ProblemsError(problems)
    return [row.record for row in rows]


def covers(waiver: Waiver, verdict: Verdict) -> bool:
    """True if `waiver` covers the defect in `verdict`; a waiver of one part does not cover a verdict that shows a
    second part.
    """
    if (waiver.check, waiver.node) != (verdict.check, verdict.target):
        return False
    if not waiver.object:
        return True
    # "GPU" is a kind of part: before the number of a part it does not name that part.
    kind = "" if any(map(str.isdigit, waiver.object)) else r"(?! \d)"
    named = re.compile(rf"(?<!\w){re.escape(waiver.object)}(?!\w){kind}")
    readings = [part for part in verdict.observed.split(SEPARATOR) if part]
    return bool(readings) and all(named.search(part) for part in readings)


def _waiver_problems(row: TableRow[Waiver], checks: Collection[str], nodes: Collection[str]) -> Iterable[Problem]:
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
    if not _is_date(waiver.until):
        yield _problem(row, "until", "is no date", "YYYY-MM-DD", waiver.until)
    if waiver.since and not _is_date(waiver.since):
        yield _problem(row, "since", "is no date", "YYYY-MM-DD", waiver.since)
    if waiver.since > waiver.until:
        yield _problem(row, "since", "lies after the end", f"{waiver.until} or before", waiver.since)


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _policy_problems(row: TableRow[Waiver], policy: WaiverPolicy) -> Iterable[Problem]:
    """Problems of persons who may not waive, of a double confirmation, and of a waiver of a whole count."""
    waiver = row.record
    persons = [("by", waiver.by), *(("approved_by", name) for name in waiver.approved_by)]
    for field, name in persons:
        if policy.approvers and name not in policy.approvers:
            yield _problem(
                row, field, "may not waive", f"one of acceptance.approvers: {', '.join(policy.approvers)}", name
            )
    for name, times in Counter(name.strip().casefold() for _, name in persons).items():
        if times > 1:
            yield _problem(row, "approved_by", "is no other person", "each person once", f"{name} {times} times")
    if not all(name.strip() for name in waiver.approved_by):
        yield _problem(row, "approved_by", "is empty", "who confirms it", "nothing")
    if waiver.check in policy.counts and not waiver.object:
        why = f"{waiver.check} {policy.counts[waiver.check]}: without a part, all that goes missing later would be accepted, too"
        yield _problem(row, "object", "is empty", "a part, or the number that was found (--object '5 of 6')", why)


def _signature_problems(
    row: TableRow[Waiver], policy: WaiverPolicy, signatures: Iterable[WaiverSignature]
) -> Iterable[Problem]:
    """Problems of approvers with a key that did not sign the current row."""
    for field, person, present in policy.keys.missing(row.record, signatures):
        expected = f"a signature of the key of {person}, {policy.keys.fingerprints[person]}, of this very row"
        step = "remove the row, and waive or approve again with --key"
        yield Problem(row.place, field, f"is not signed by {person}", expected, present, step, "gate.waiver")


def _problem(row: TableRow[Waiver], field: str, message: str, expected: str, value: str) -> Problem:
    return Problem(row.place, field, message, expected, value, "mend the waiver, or remove it", "gate.waiver")
