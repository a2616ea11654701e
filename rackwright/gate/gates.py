"""Reads ``validators/gates.yaml``: a chain of gates, each requiring everything the gate before it requires."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from rackwright.base import content, tables
from rackwright.base.errors import Problem, ProblemsError, UsageError
from rackwright.base.tables import TableRow
from rackwright.model.base import Record
from rackwright.model.capability import Capability
from rackwright.model.gate import AgeLimit, Gate, Scope, WaiverTerms

SCOPES = ("node", "rack", "fabric", "cluster", "site")
"""Ordered from the smallest to the largest."""
ACCUMULATED = ("checks", "where_they_apply", "when_run", "closes")


class GateStep(Record):
    """A gate as written in the file: its additions to the gate before it. Fields as in `Gate`."""

    name: str
    after: str
    """Name of the gate before it; empty for the first."""
    scope: Scope = "node"
    allow_degraded: bool
    checks: list[str]
    where: dict[Capability, list[str]] = {}
    where_they_apply: list[str] = []
    when_run: list[str] = []
    closes: list[str] = []
    share: float = 1.0
    coverage: float = 0.0
    evidence: AgeLimit | None = None
    """None: as for the gate before it."""
    holds: bool = False


class NamedCheck(Record):
    """A check with a special role, and the reason."""

    check: str
    why: str


class GateAddition(Record):
    """Requirements that a site adds to a shipped gate; it can remove none."""

    gate: str
    checks: list[str] = []
    where: dict[Capability, list[str]] = {}
    where_they_apply: list[str] = []
    when_run: list[str] = []
    closes: list[str] = []


ADDED: dict[str, type[Any]] = {"gates": GateStep, "advisory": NamedCheck, "counts": NamedCheck}
"""Tables to which a site can add rows."""
TABLES: dict[str, type[Any]] = {**ADDED, "waivers": WaiverTerms}
SITE_TABLES: dict[str, type[Any]] = {**ADDED, "additions": GateAddition}
"""Tables in ``validators/gates.yaml`` of a site: gates after the shipped ones, and additions to these."""


def load_gates(path: Path | None = None, roots: content.Roots | None = None) -> dict[str, Gate]:
    """The gates by name, in the order of the chain: those of `path`, by default of `roots`.

    Raises ProblemsError for an invalid file, a broken chain, or a gate that requires nothing or less than the gate before it.
    """
    table, problems = load_file(path, roots)
    rows: list[TableRow[GateStep]] = table["gates"]
    advisory = [row.record.check for row in table["advisory"]]
    gates: dict[str, Gate] = {}
    last = ""
    for row in rows:
        before = gates.get(row.record.after)
        problems += [*_row_problems(row, before, last, gates), *_numbers(row, before), *_ages(row, before)]
        gates[row.record.name] = _gate(row.record, before, advisory)
        last = row.record.name
    problems += [
        _problem(row.place, "why", "is empty", "nothing", "why it decides nothing")
        for row in table["advisory"]
        if not row.record.why.strip()
    ]
    if problems or not gates:
        raise ProblemsError(problems or [_problem(f"{path or 'validators/gates.yaml'}", "gates", "no gate", "nothing")])
    return gates


def load_file(
    path: Path | None = None, roots: content.Roots | None = None
) -> tuple[dict[str, list[TableRow[Any]]], list[Problem]]:
    """The tables of ``gates.yaml`` with the additions of sites, and the problems of their rows.

    Raises ProblemsError for an invalid file.
    """
    first, *others = roots or content.shipped()
    table = tables.load_tables(path or first / "validators" / "gates.yaml", TABLES)
    return table, [] if path else _add_of_sites(table, others)


def _add_of_sites(table: dict[str, list[TableRow[Any]]], folders: Sequence[Path]) -> list[Problem]:
    """Put gates, additions and advisory checks of sites into `table`; returns the problems of their rows."""
    problems: list[Problem] = []
    for file in (folder / "validators" / "gates.yaml" for folder in folders):
        if not file.is_file():
            continue
        try:
            tables_of_site = tables.load_tables(file, SITE_TABLES)
        except ProblemsError as error:
            problems += error.problems
            continue
        for key in ADDED:
            table[key] += tables_of_site[key]
        for addition in tables_of_site["additions"]:
            problems += _add(table["gates"], addition)
    return problems


def _add(steps: list[TableRow[GateStep]], addition: TableRow[GateAddition]) -> Iterable[Problem]:
    """Add the patterns of `addition` to the gate that it names."""
    more = addition.record
    names = [step.record.name for step in steps]
    if more.gate not in names:
        yield _problem(addition.place, "gate", "there is no such gate", more.gate, f"one of {', '.join(names)}")
    elif more == GateAddition(gate=more.gate):
        yield _problem(addition.place, more.gate, "asks for nothing more", "no pattern", "at least one pattern")
    else:
        place = names.index(more.gate)
        step = steps[place].record
        steps[place] = replace(steps[place], record=step.model_copy(update=_joined_patterns(step, more)))


def _joined_patterns(first: Gate | GateStep | None, second: GateStep | GateAddition) -> dict[str, Any]:
    """The patterns of both, those of `first` before those of `second`, by field."""
    lists = {key: [*(getattr(first, key) if first else []), *getattr(second, key)] for key in ACCUMULATED}
    before = first.where if first else {}
    where = {name: [*before.get(name, []), *second.where.get(name, [])] for name in {**before, **second.where}}
    return {**lists, "where": where}


def load_gate(name: str, path: Path | None = None) -> Gate:
    """The gate called `name` (``acceptance.gates`` of the site). Raises UsageError with the existing names if there is none."""
    return load_chain(name, path)[-1]


def load_chain(
    name: str,
    path: Path | None = None,
    roots: content.Roots | None = None,
    hours: Mapping[str, float] = MappingProxyType({}),
) -> list[Gate]:
    """The gates up to and including `name`. Raises UsageError with the existing names if there is none.

    `hours` are the ages that the site allows (``acceptance.policy.evidence_hours``), by gate: they apply to this gate
    and those that follow, up to the bound of the gate.
    """
    gates = load_gates(path, roots)
    if name not in gates:
        raise UsageError(f"acceptance.gates names the gate {name!r}; validators/gates.yaml has {', '.join(gates)}")
    return _by_policy(list(gates.values())[: list(gates).index(name) + 1], hours)


def _by_policy(chain: Sequence[Gate], hours: Mapping[str, float]) -> list[Gate]:
    """The gates with the ages of the site; none allows more than the gate before it."""
    narrowed: list[Gate] = []
    for gate in chain:
        limit = gate.evidence
        if limit is not None:
            before = narrowed[-1].evidence if narrowed else None
            allowed = min(hours.get(gate.name, limit.hours), limit.most_hours, before.hours if before else math.inf)
            limit = limit.model_copy(update={"hours": allowed})
        narrowed.append(gate.model_copy(update={"evidence": limit}))
    return narrowed


def _gate(step: GateStep, before: Gate | None, advisory: list[str]) -> Gate:
    """The gate with the requirements of the chain before it."""
    joined = _joined_patterns(before, step)
    fields = step.model_dump(exclude={"after", "evidence", *joined})
    combined = {key: list(dict.fromkeys(joined[key])) for key in ACCUMULATED}
    age = step.evidence or (before.evidence if before else None)
    return Gate.model_validate({**fields, **combined, "where": joined["where"], "advisory": advisory, "evidence": age})


def _row_problems(row: TableRow[GateStep], before: Gate | None, last: str, gates: dict[str, Gate]) -> Iterable[Problem]:
    step = row.record
    if step.after != last:
        yield _problem(row.place, f"{step.name}.after", "the gates are no chain", step.after, f"{last!r}")
    if step.name in gates:
        yield _problem(row.place, "name", "the gate is given twice", step.name, "a new name")
    if not step.checks and before is None:
        yield _problem(row.place, f"{step.name}.checks", "the gate asks for nothing", "[]", "at least one pattern")
    if before is not None and step.allow_degraded and not before.allow_degraded:
        yield _problem(
            row.place, f"{step.name}.allow_degraded", "the gate is wider than the one before", "true", "false"
        )


def _numbers(row: TableRow[GateStep], before: Gate | None) -> Iterable[Problem]:
    """Problems of numbers out of range, and of a scope that shrinks along the chain."""
    step = row.record
    for field in ("share", "coverage"):
        value = getattr(step, field)
        if not 0 <= value <= 1:
            yield _problem(row.place, f"{step.name}.{field}", "is no share", f"{value:g}", "0 to 1")
    if before is not None and SCOPES.index(step.scope) < SCOPES.index(before.scope):
        yield _problem(row.place, f"{step.name}.scope", "the scope shrinks", step.scope, f"{before.scope} or larger")


def _ages(row: TableRow[GateStep], before: Gate | None) -> Iterable[Problem]:
    """Problems of the age of evidence: missing at the first gate, meaningless, or wider than at the gate before."""
    step, age = row.record, row.record.evidence
    earlier = before.evidence if before else None
    place = f"{step.name}.evidence"
    if age is None:
        if earlier is None:
            yield _problem(
                row.place, place, "no age is allowed for evidence", "nothing", "hours, most_hours, skew_minutes, why"
            )
        return
    if age.hours <= 0:
        yield _problem(row.place, f"{place}.hours", "no evidence is that young", f"{age.hours:g}", "more than 0")
    if age.most_hours < age.hours:
        most = f"{age.hours:g} or more"
        yield _problem(row.place, f"{place}.most_hours", "is less than hours", f"{age.most_hours:g}", most)
    if age.skew_minutes < 0:
        yield _problem(row.place, f"{place}.skew_minutes", "is negative", f"{age.skew_minutes:g}", "0 or more")
    if not age.why.strip():
        yield _problem(row.place, f"{place}.why", "is empty", "nothing", "where the hours come from")
    if earlier is not None and age.hours > earlier.hours:
        most = f"{earlier.hours:g} or less"
        yield _problem(row.place, f"{place}.hours", "the gate is wider than the one before", f"{age.hours:g}", most)


def _problem(place: str, path: str, message: str, value: str, expected: str = "a list of gates") -> Problem:
    return Problem(place, path, message, expected, value, "mend validators/gates.yaml", "gate.refused")
