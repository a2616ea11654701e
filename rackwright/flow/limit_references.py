"""Compares the limits with machines of the field: the findings of `rackwright limits lint`, and the page published from
it (``validators/LIMITS.md``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import chain, groupby
from typing import TYPE_CHECKING

from rackwright import gate, judge
from rackwright.base.errors import Problem
from rackwright.base.tables import TableRow
from rackwright.gate.check_patterns import CheckRole, check_roles
from rackwright.judge.references import numeric_rows
from rackwright.model.check import Limit
from rackwright.model.reference import FieldReading, FieldReference
from rackwright.twin import faults

if TYPE_CHECKING:
    from rackwright.catalog import Catalog

LAST_GATE = "handover"
"""The gate that requires everything that the gates before it require."""
HEAD = """# The limits beside machines of the field

Written by `--update-golden` of `tests/unit/flow/test_limit_references.py` from `validators/limits`, `validators/references` and the faults of the
twin. `rackwright limits lint` holds every number against the readings below by the comparison that judges a node: each healthy one must
pass, each faulty one must not. A limit without such readings is **advisory**: it is shown and refuses nobody, until a fleet has taught it
(`judge --learn`, calibration). The derivation of a reading stands in its source. `opened` is the day on which
somebody last opened the source and read the value in it.
"""
ORDERED = """
## Checks without a number of their own

They compare with the order (a count, a serial number, a cable) or with words that a document defines. Healthy is what the page of the check claims,
by the documents named there; faulty is what the fault does to the twin, which `make faults` plays. Checks under `advisory` of
`validators/gates.yaml` are left out.

| check | a faulty machine |
| --- | --- |
"""


def deciding_checks() -> list[str]:
    """The checks that can refuse a node, a rack, a fabric or a site."""
    role = check_roles(gate.load_chain(LAST_GATE)[-1])
    return [check for check in judge.load_checks() if role(check) is not CheckRole.NEVER]


def reference_problems(table: judge.LimitTable, parts: Catalog) -> list[Problem]:
    """Problems of limits and deciding checks without a healthy and a faulty machine, and of readings that the
    comparison judges otherwise.
    """
    references, deciding = judge.load_references(), deciding_checks()
    hardware = judge.HardwareChoice(parts.servers, parts.accelerators)
    return sorted(
        chain(
            judge.uncovered_limits(references, table, deciding, _faults_by_check(deciding)),
            judge.unproven_limits(references, table, hardware),
        )
    )


def limits_page(table: judge.LimitTable) -> str:
    """The text of ``validators/LIMITS.md``."""
    references = [row.record for row in judge.load_references()]
    rows = "\n".join(_limit_lines(table, references))
    words = "\n".join(_comparison_lines(references))
    broken = _faults_by_check(deciding_checks())
    checks = "\n".join(f"| {check} | {', '.join(f'`{name}`' for name in names)} |" for check, names in broken.items())
    return (
        f"{HEAD}\n{rows}\n\n## Comparisons with peers, and of results with each other\n\n"
        f"| check | healthy | faulty |\n| --- | --- | --- |\n{words}\n{ORDERED}{checks}\n"
    )


def _faults_by_check(checks: Sequence[str]) -> Mapping[str, list[str]]:
    """Check -> faults of the twin that it detects; on other machines only the faults that name it."""
    every = faults.load_faults().values()
    by_check = {
        check: [
            fault.name
            for fault in every
            if check in fault.elsewhere or any(fnmatchcase(check, name) for name in fault.checks)
        ]
        for check in checks
    }
    return {check: names for check, names in by_check.items() if names}


def _limit_lines(table: judge.LimitTable, references: Sequence[FieldReference]) -> Iterator[str]:
    by_row = {(of.metric, frozenset(match.items())): of for of in references for match in of.matches}
    judged = {row.record.metric: row.record for row in table.metrics}
    for name, rows in groupby(sorted(numeric_rows(table), key=_metric), key=_metric):
        lines: dict[tuple[str, ...], list[str]] = {}
        checks: dict[str, None] = {}
        for limit in (row.record for row in rows):
            reference = by_row.get((name, frozenset(limit.match.items())))
            checks |= dict.fromkeys(reference.checks if reference else ())
            about = ", ".join(f"{key} {value}" for key, value in limit.match.items()) or "everything"
            lines.setdefault(_cells(limit, reference), []).append(about)
        meaning = f"{judged[name].says} ({judged[name].judged.replace('_', ' ')}, {judged[name].unit})"
        yield f"\n## {name}\n\n{meaning}; {', '.join(checks) or 'advisory alone'}\n"
        yield "| of | limit | healthy | faulty |\n| --- | --- | --- | --- |"
        yield from (f"| {' | '.join(('<br>'.join(abouts), *cells))} |" for cells, abouts in lines.items())


def _metric(row: TableRow[Limit]) -> str:
    return row.record.metric


def _cells(limit: Limit, reference: FieldReference | None) -> tuple[str, ...]:
    bound = f"{limit.value:g} ({limit.kind})" if isinstance(limit.value, int | float) else str(limit.value)
    if reference is None:
        return f"{bound}, **advisory**", "none published", "-"
    why = f" ({reference.because})" if reference.because else ""
    return bound, _readings(reference.healthy) + why, _readings(reference.faulty)


def _comparison_lines(references: Sequence[FieldReference]) -> Iterator[str]:
    for of in references:
        if not of.metric:
            yield f"| {', '.join(of.checks)} | {_readings(of.healthy)} | {_readings(of.faulty)} |"


def _readings(readings: Sequence[FieldReading]) -> str:
    return "; ".join(
        f"**{reading.says or format(reading.value, 'g')}** {reading.kind}, {reading.source}, {reading.date}"
        + (f" (opened {reading.opened})" if reading.opened else "")
        for reading in readings
    )
