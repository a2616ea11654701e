"""``rackwright design SITE --what-if '...'``: scenarios of one site, each on its own.

Changes (`add 32 nodes to train`) are checked like a site file and shown beside the design as it is.
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
from rackwright.design.comparison import ComparisonRow, compare
from rackwright.model.site import Site
from rackwright.spec import crosscheck
from rackwright.spec.fields import show_path

if TYPE_CHECKING:
    from rackwright.design.whatif import Consequence, Scenario
    from rackwright.model.design import Design

WIDTH = 44
TENS = 10
"""From here on a figure is shown with one decimal place."""


def answer(loaded: spec.LoadedSite, made: Design, sentences: Sequence[str]) -> list[dict[str, Any]]:
    """One answer per sentence: ``what_if``, the consequence of its losses, and the figures that its changes change."""
    return [_answer(loaded, made, whatif.parse_scenario(sentence)) for sentence in sentences]


def text(answers: Iterable[dict[str, Any]]) -> Iterable[str]:
    """The answers for people."""
    for one in answers:
        yield f"What if: {one['what_if']}"
        for row in one["changed"]:
            name = shorten(f"{row['subject']}: {row['name']}", WIDTH, placeholder="...")
            yield f"  {name:<{WIDTH}} {_shown(row['a'])} -> {_shown(row['b'])} {row['unit']}".rstrip()
        found = one["losses"]
        if found:
            yield from (f"  {sentence}" for sentence in found["says"])
            yield from (f"  FAIL {failing['rule']}: {failing['says']}" for failing in found["failing"])
        yield from (f"  FAIL {verdict['check']}: {verdict['says']}" for verdict in one["fails"])
        yield ""


def broken(answers: Iterable[dict[str, Any]]) -> bool:
    """True when a declared loss is not survived, or a changed site fails a rule."""
    return any(
        one["fails"] or (one["losses"] and one["losses"]["must_survive"] and not one["losses"]["survives"])
        for one in answers
    )


def _shown(value: float | str | None) -> str:
    """A figure with as many digits as mean something; a dash for what is not there."""
    if value is None:
        return "-"
    if isinstance(value, str) or value == int(value):
        return str(value) if isinstance(value, str) else f"{value:,.0f}"
    return f"{value:,.1f}" if abs(value) >= TENS else f"{value:.3g}"


def _answer(loaded: spec.LoadedSite, made: Design, scenario: Scenario) -> dict[str, Any]:
    then, rows, fails = made, list[ComparisonRow](), list[dict[str, Any]]()
    if scenario.changes:
        then = _changed(loaded, scenario)
        rows = [row for row in compare(made, then) if row.differs]
        found = design.rules.run_rules(then)
        fails = [one.model_dump(mode="json") for one in found if one.outcome == "fail"]
    lost: Consequence | None = whatif.simulate_scenario(then, scenario) if scenario.losses else None
    return {
        "what_if": scenario.text,
        "changed": [asdict(row) | {"change": row.change} for row in rows],
        "fails": fails,
        "losses": lost.as_dict() if lost else None,
    }


def _changed(loaded: spec.LoadedSite, scenario: Scenario) -> Design:
    data = whatif.apply_changes(loaded.site.model_dump(mode="python"), scenario.changes)
    try:
        site = Site.model_validate(data)
    except ValidationError as error:
        raise ProblemsError([_invalid(one, scenario) for one in error.errors(include_url=False)]) from error
    problems = crosscheck.crosscheck_site(site, loaded.catalog, loaded.path.parent)
    if problems:
        raise ProblemsError(problems)
    return design.expand(site, loaded.catalog)


def _invalid(one: Any, scenario: Scenario) -> Problem:
    path = show_path(one["loc"])
    found = repr(one["input"])
    return Problem(
        "what-if",
        path,
        one["msg"],
        "a value that the field may have",
        found,
        f"mend '{scenario.text}'",
        "spec.wrong_value",
    )
