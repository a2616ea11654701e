"""``rackwright design SITE --what-if '...'``: independent scenarios of one site.

Changes (`add 32 nodes to train`) are checked like a site file and printed beside the current design.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from rackwright import design, spec
from rackwright.base.errors import Problem, ProblemsError
from rackwright.design import whatif
from rackwright.design.comparison import ComparisonRow, compare_designs
from rackwright.model.site import Site
from rackwright.spec import crosscheck
from rackwright.spec.fields import show_path

if TYPE_CHECKING:
    from rackwright.design.whatif import Consequence, Scenario
    from rackwright.model.design import Design

WIDTH = 44
TENS = 10
"""From this value on, a figure is printed with one decimal place."""


def answer(loaded: spec.LoadedSite, base_design: Design, sentences: Sequence[str]) -> list[dict[str, Any]]:
    """One answer per sentence: ``what_if``, the consequences of its losses, and the figures that its changes affect."""
    return [_answer(loaded, base_design, whatif.parse_scenario(sentence)) for sentence in sentences]


def text(answers: Iterable[dict[str, Any]]) -> Iterable[str]:
    """The answers as text."""
    for result in answers:
        yield f"What if: {result['what_if']}"
        for row in result["changed"]:
            name = shorten(f"{row['subject']}: {row['name']}", WIDTH, placeholder="...")
            yield f"  {name:<{WIDTH}} {_figure(row['a'])} -> {_figure(row['b'])} {row['unit']}".rstrip()
        losses = result["losses"]
        if losses:
            yield from (f"  {sentence}" for sentence in losses["says"])
            yield from (f"  FAIL {failing['rule']}: {failing['says']}" for failing in losses["failing"])
        yield from (f"  FAIL {verdict['check']}: {verdict['says']}" for verdict in result["fails"])
        yield ""


def broken(answers: Iterable[dict[str, Any]]) -> bool:
    """True if a declared loss is not survived, or a changed site fails a rule."""
    return any(
        result["fails"] or (result["losses"] and result["losses"]["must_survive"] and not result["losses"]["survives"])
        for result in answers
    )


def _figure(value: float | str | None) -> str:
    """A figure with its significant digits; a dash if it is missing."""
    if value is None:
        return "-"
    if isinstance(value, str) or value == int(value):
        return str(value) if isinstance(value, str) else f"{value:,.0f}"
    return f"{value:,.1f}" if abs(value) >= TENS else f"{value:.3g}"


def _answer(loaded: spec.LoadedSite, base_design: Design, scenario: Scenario) -> dict[str, Any]:
    then, rows, fails = base_design, list[ComparisonRow](), list[dict[str, Any]]()
    if scenario.changes:
        then = _changed_design(loaded, scenario)
        rows = [row for row in compare_designs(base_design, then) if row.differs]
        verdicts = design.rules.run_rules(then)
        fails = [verdict.model_dump(mode="json") for verdict in verdicts if verdict.outcome == "fail"]
    lost: Consequence | None = whatif.simulate_scenario(then, scenario) if scenario.losses else None
    return {
        "what_if": scenario.text,
        "changed": [asdict(row) | {"change": row.change} for row in rows],
        "fails": fails,
        "losses": lost.as_dict() if lost else None,
    }


def _changed_design(loaded: spec.LoadedSite, scenario: Scenario) -> Design:
    data = whatif.apply_changes(loaded.site.model_dump(mode="python"), scenario.changes)
    try:
        site = Site.model_validate(data)
    except ValidationError as error:
        raise ProblemsError([_invalid(detail, scenario) for detail in error.errors(include_url=False)]) from error
    problems = crosscheck.crosscheck_site(site, loaded.catalog, loaded.path.parent)
    if problems:
        raise ProblemsError(problems)
    return design.expand(site, loaded.catalog)


def _invalid(detail: Any, scenario: Scenario) -> Problem:
    path = show_path(detail["loc"])
    value = repr(detail["input"])
    return Problem(
        "what-if",
        path,
        detail["msg"],
        "a value that the field may have",
        value,
        f"mend '{scenario.text}'",
        "spec.wrong_value",
    )
