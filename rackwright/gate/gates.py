"""Reads ``validators/gates.yaml``: a chain of gates, each asking for all that the one before it asks for."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rackwright.base import content, tables
from rackwright.base.errors import Problem, ProblemsError, UsageError
from rackwright.base.tables import Row
from rackwright.model.base import Record
from rackwright.model.gate import Gate, Scope

SCOPES = ("node", "rack", "fabric", "cluster", "site")
"""From the smallest to the largest."""
ACCUMULATED = ("checks", "where_they_apply", "when_run")


class Step(Record):
    """A gate as it is written: what it adds to the gate before it. Fields as in `Gate`."""

    name: str
    after: str
    """Name of the gate before it, empty for the first."""
    scope: Scope = "node"
    allow_degraded: bool
    checks: list[str]
    where_they_apply: list[str] = []
    when_run: list[str] = []
    share: float = 1.0
    coverage: float = 0.0
    evidence_hours: float | None = None
    holds: bool = False


class Advice(Record):
    """A check that is reported and decides nothing, and why."""

    check: str
    why: str


def load(path: Path | None = None) -> dict[str, Gate]:
    """The gates by name, in the order of the chain.

    Raises ProblemsError for a file that is refused, a broken chain, and a gate that asks for nothing or for less.
    """
    found = tables.load(path or content.folder("validators", "gates.yaml"), {"gates": Step, "advisory": Advice})
    rows: list[Row[Step]] = found["gates"]
    advisory = [row.record.check for row in found["advisory"]]
    gates: dict[str, Gate] = {}
    problems: list[Problem] = []
    last = ""
    for row in rows:
        before = gates.get(row.record.after)
        problems += [*_broken(row, before, last, gates), *_numbers(row, before)]
        gates[row.record.name] = _gate(row.record, before, advisory)
        last = row.record.name
    problems += [
        _problem(row.place, "why", "is empty", "nothing", "why it decides nothing")
        for row in found["advisory"]
        if not row.record.why.strip()
    ]
    if problems or not gates:
        raise ProblemsError(problems or [_problem(f"{path or 'validators/gates.yaml'}", "gates", "no gate", "nothing")])
    return gates


def chosen(name: str, path: Path | None = None) -> Gate:
    """The gate called `name` (``acceptance.gates`` of the site); UsageError names the ones that exist."""
    return chain(name, path)[-1]


def chain(name: str, path: Path | None = None) -> list[Gate]:
    """The gates up to the one called `name`, that one last; UsageError names the ones that exist."""
    gates = load(path)
    if name not in gates:
        raise UsageError(f"acceptance.gates names the gate {name!r}; validators/gates.yaml has {', '.join(gates)}")
    return list(gates.values())[: list(gates).index(name) + 1]


def _gate(step: Step, before: Gate | None, advisory: list[str]) -> Gate:
    """The step with what the chain before it asks for."""
    lists = {key: [*(getattr(before, key) if before else []), *getattr(step, key)] for key in ACCUMULATED}
    own = step.model_dump(exclude={"after", *ACCUMULATED})
    kept = {key: list(dict.fromkeys(names)) for key, names in lists.items()}
    return Gate.model_validate({**own, **kept, "advisory": advisory})


def _broken(row: Row[Step], before: Gate | None, last: str, known: dict[str, Gate]) -> Iterable[Problem]:
    step = row.record
    if step.after != last:
        yield _problem(row.place, f"{step.name}.after", "the gates are no chain", step.after, f"{last!r}")
    if step.name in known:
        yield _problem(row.place, "name", "the gate is given twice", step.name, "a new name")
    if not step.checks and before is None:
        yield _problem(row.place, f"{step.name}.checks", "the gate asks for nothing", "[]", "at least one pattern")
    if before is not None and step.allow_degraded and not before.allow_degraded:
        yield _problem(
            row.place, f"{step.name}.allow_degraded", "the gate is wider than the one before", "true", "false"
        )


def _numbers(row: Row[Step], before: Gate | None) -> Iterable[Problem]:
    """What is out of its range, and a scope that shrinks along the chain."""
    step = row.record
    for field in ("share", "coverage"):
        value = getattr(step, field)
        if not 0 <= value <= 1:
            yield _problem(row.place, f"{step.name}.{field}", "is no share", f"{value:g}", "0 to 1")
    if step.evidence_hours is not None and step.evidence_hours <= 0:
        hours = f"{step.evidence_hours:g}"
        yield _problem(row.place, f"{step.name}.evidence_hours", "no evidence is that young", hours, "more than 0")
    if before is not None and SCOPES.index(step.scope) < SCOPES.index(before.scope):
        yield _problem(row.place, f"{step.name}.scope", "the scope shrinks", step.scope, f"{before.scope} or larger")


def _problem(place: str, path: str, message: str, found: str, expected: str = "a list of gates") -> Problem:
    return Problem(place, path, message, expected, found, "mend validators/gates.yaml", "gate.refused")
