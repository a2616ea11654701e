"""Which limits and checks have a healthy and a faulty machine of the field to be held against.

A row without them is advisory: it is shown and refuses nobody, until a fleet has taught it (``judge --learn``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from rackwright.base import content, tables
from rackwright.base.errors import Problem
from rackwright.base.tables import TableRow
from rackwright.judge.limits import LimitTable, problem
from rackwright.model.check import Limit
from rackwright.model.reference import FieldReference

NUMBERS = ("at_least", "at_most")
UNJUDGED = ("policy.", "isolation.", "repair.", "burnin.", "fleet.", "peers.")
"""Domains of settings; checks that compare peers are held against machines as checks."""
Rows = Sequence[TableRow[FieldReference]]


def load_references() -> Rows:
    """The rows of ``validators/references/*.yaml``. Raises ProblemsError with every row that is malformed."""
    files = sorted((content.shipped()[0] / "validators" / "references").glob("*.yaml"))
    return [row for file in files for row in tables.load_tables(file, {"references": FieldReference})["references"]]


def numeric_rows(table: LimitTable) -> list[TableRow[Limit]]:
    """The limits that readings of machines are compared with."""
    metrics = (row.record for row in table.metrics if row.record.judged in NUMBERS and not row.record.setting)
    judged = {metric.metric for metric in metrics if not metric.metric.startswith(UNJUDGED)}
    return [row for row in table.rows if row.record.metric in judged]


def uncovered(
    references: Rows, table: LimitTable, deciding: Collection[str], broken: Collection[str]
) -> Iterable[Problem]:
    """Numbers and checks that decide without a healthy and a faulty machine, and references that stand for nothing.

    `broken` are the checks that a fault of the twin turns red. One that holds no number (a count against the order, a word against the document that
    defines it) is held against those, and needs no reference.
    """
    covered = {(row.record.metric, frozenset(match.items())) for row in references for match in row.record.matches}
    rows = {(row.record.metric, frozenset(row.record.match.items())): row for row in numeric_rows(table)}
    for key, row in rows.items():
        if not row.record.advisory and key not in covered:
            expected = "a row of validators/references, or `advisory: true`"
            yield problem(row, "match", "has no published healthy and faulty machine", expected, "none")
        if row.record.advisory and key in covered:
            yield problem(row, "advisory", "has a reference, so it can decide", "no `advisory`", "true")
    for reference in references:
        record = reference.record
        for match in record.matches if record.metric else []:
            if (record.metric, frozenset(match.items())) not in rows:
                yield _problem(reference, "matches", "is no row of the limits", "the match of a row", str(match))
        if len(record.matches) > 1 and not record.because:
            yield _problem(reference, "because", "is empty", "why one pair stands for several rows", "nothing")
    with_reference = {check for row in references for check in row.record.checks}
    for check in sorted(set(deciding) - with_reference - set(broken)):
        yield Problem(
            "validators/references", check, "decides, and no faulty machine is given that it finds",
            "a row of validators/references, a fault of the twin, or the check under `advisory` of validators/gates.yaml", "none",
            "add the readings with their sources", "limits.refused",
        )  # fmt: skip


def _problem(row: TableRow[FieldReference], field: str, message: str, expected: str, value: str) -> Problem:
    name = row.record.metric or ", ".join(row.record.checks)
    return Problem(
        row.place, f"{name}.{field}", message, expected, value, "mend the row, or remove it", "limits.refused"
    )
