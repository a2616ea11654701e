"""Reads the content in the folder of a site with every stage that uses it: reports all mistakes at once, before
anything is done with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from rackwright import catalog, gate, judge
from rackwright.base import content
from rackwright.base.errors import Problem, ProblemsError
from rackwright.gate.check_patterns import matches
from rackwright.model.design import Design
from rackwright.model.gate import Gate
from rackwright.onboard import site_roles
from rackwright.onboard.roles import ordered_roles


def problems(roots: content.Roots, parts: catalog.Catalog | None = None) -> list[Problem]:
    """Every mistake in the folder of a site, by file and line; empty without such a folder.

    `parts` are needed to judge its limits.
    """
    if len(roots) == 1:
        return []
    from rackwright import (
        collect,
    )  # the clients of every transport, and of no use to a site without a folder of its own

    mistakes: list[Problem] = []
    checks = _read(mistakes, judge.load_checks, roots) or {}
    _read(mistakes, collect.library, roots)
    table = _read(mistakes, lambda of: judge.load_limits(roots=of), roots)
    gates = _read(mistakes, lambda of: gate.load_gates(roots=of), roots)
    _read(mistakes, ordered_roles, roots)
    if table is not None and parts is not None:
        lint = judge.lint_limits(table, parts.accelerators)
        mistakes += [problem for problem in lint if _of_site(problem, roots)]
    if checks and gates:
        mistakes += _undecided_checks(roots, gates, sorted(checks))
    return sorted(dict.fromkeys(mistakes))


def refuse_expired(roots: content.Roots, today: date) -> None:
    """Raises ProblemsError for the roles of a site whose last day is before `today`."""
    if late := list(site_roles.expired(roots, ordered_roles(roots), today)):
        raise ProblemsError(late)


def refuse_lapsed(design: Design, today: date) -> None:
    """Raises ProblemsError for calibrated limits of a site that do not apply to it, or no longer."""
    if lapsed := judge.lapsed_rows(design, judge.load_limits(roots=design.roots), today):
        raise ProblemsError(lapsed)


def _read(mistakes: list[Problem], load: Callable[[content.Roots], Any], roots: content.Roots) -> Any:
    """The result of `load`; None if it raises problems, which are added to `mistakes`."""
    try:
        return load(roots)
    except ProblemsError as error:
        mistakes += error.problems
        return None


def _of_site(problem: Problem, roots: content.Roots) -> bool:
    return any(problem.place.startswith(str(root)) for root in roots[1:])


def _undecided_checks(roots: content.Roots, gates: dict[str, Gate], checks: Sequence[str]) -> Iterator[Problem]:
    """Problems of checks of the site that no gate requires, and of patterns of the site that match no check."""
    used = _patterns(gates)
    advisory = [name for entry in gates.values() for name in entry.advisory]
    shipped_patterns = set(_patterns(gate.load_gates()))
    for root in roots[1:]:
        file = root / "validators" / "gates.yaml"
        for path in sorted((root / "validators" / "checks").rglob("*.py")):
            name = ".".join(path.relative_to(root / "validators" / "checks").with_suffix("").parts)
            if not matches(name, [*used, *advisory]):
                yield _problem(
                    f"{path}:1", name, "no gate asks for this check", "a gate or `advisory` that names it", file
                )
        for pattern in dict.fromkeys(name for name in used if name not in shipped_patterns):
            if not any(matches(check, [pattern]) for check in checks):
                place = f"{file}:{_line(file, pattern)}"
                yield _problem(
                    place, pattern, "no check has this name, so no node could pass", "the id of a check", file
                )


def _patterns(gates: dict[str, Gate]) -> list[str]:
    """The patterns of checks that count at `gates`."""
    return [name for entry in gates.values() for name in (*entry.required(), *entry.where_they_apply, *entry.when_run)]


def _line(file: Path, pattern: str) -> int:
    lines = file.read_text(encoding="utf-8").splitlines()
    return next((number for number, text in enumerate(lines, start=1) if pattern in text), 1)


def _problem(place: str, path: str, message: str, expected: str, file: Path) -> Problem:
    return Problem(place, path, message, expected, path, f"write it into {file}", "site_folder.undecided")
