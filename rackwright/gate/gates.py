"""Reads ``validators/gates.yaml``: a chain of gates, each asking for all that the one before it asks for.

In: the file. Out: by name, the `Gate` with the patterns of the whole chain up to it.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rackwright import content, tables
from rackwright.errors import Problem, ProblemsError, UsageError
from rackwright.model.base import Record
from rackwright.model.gate import Gate
from rackwright.tables import Row


class Step(Record):
    """A gate as it is written: what it adds to the gate before it."""

    name: str
    after: str
    """Name of the gate before it, empty for the first."""
    allow_degraded: bool
    checks: list[str]


def load(path: Path | None = None) -> dict[str, Gate]:
    """The gates by name, in the order of the chain.

    Raises ProblemsError for a file that is refused, a broken chain, and a gate that asks for nothing or for less.
    """
    rows: list[Row[Step]] = tables.load(path or content.folder("validators", "gates.yaml"), {"gates": Step})["gates"]
    gates: dict[str, Gate] = {}
    problems: list[Problem] = []
    last = ""
    for row in rows:
        step = row.record
        before = gates.get(step.after)
        problems += _broken(row, before, last, gates)
        checks = [*(before.checks if before else []), *step.checks]
        gates[step.name] = Gate(name=step.name, allow_degraded=step.allow_degraded, checks=list(dict.fromkeys(checks)))
        last = step.name
    if problems or not gates:
        raise ProblemsError(problems or [_problem(f"{path or 'validators/gates.yaml'}", "gates", "no gate", "nothing")])
    return gates


def chosen(name: str, path: Path | None = None) -> Gate:
    """The gate called `name` (``acceptance.gates`` of the site); UsageError names the ones that exist."""
    gates = load(path)
    if name not in gates:
        raise UsageError(f"acceptance.gates names the gate {name!r}; validators/gates.yaml has {', '.join(gates)}")
    return gates[name]


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


def _problem(place: str, path: str, message: str, found: str, expected: str = "a list of gates") -> Problem:
    return Problem(place, path, message, expected, found, "mend validators/gates.yaml", "gate.refused")
