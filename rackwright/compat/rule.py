"""The records of the rules: the question, the fact that it concerns, and the rows that answer it.

The rules are data because they age in weeks; code only knows how a row compares (`judge.py`).
"""

from __future__ import annotations

from datetime import date
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from rackwright.base import yaml_text
from rackwright.model.base import Record

Question = Literal["runs", "supported", "safe", "complete"]
"""Whether it works; whether its maker still maintains it; whether it has a known hole; whether every version is given."""

Test = Literal["at_least", "at_most", "equal", "one_of", "none_of", "until", "absent", "present"]
Date = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]
Match = dict[str, str | list[str]]
"""Fact -> pattern or range that it must fit (`version.fits`); a list: any of them. A fact that is not known fits nothing."""

QUESTIONS: tuple[Question, ...] = ("complete", "runs", "supported", "safe")
"""In the order in which they are printed."""
FOLDER = Path(__file__).parent / "data"


class RuleRow(Record):
    """One line of a rule: where it holds, and what is expected there."""

    when: Match = {}
    value: str | list[str] = ""
    """Version, pattern, date or fact (``@driver``) to compare with; ``ongoing``: no bound; ``ended``: over, day unknown."""
    note: str = ""
    """Added to what is expected."""
    source: str = ""
    """Empty: the rule's."""
    date: str = ""
    level: Literal["read", "secondary", "derived"] | None = None
    """None: the rule's."""


class CompatibilityRule(Record):
    """One question about one fact; the first row whose `when` holds answers it."""

    rule: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]+$")]
    question: Question
    says: str
    """The claim, without a full stop."""
    subject: str
    """Fact that is judged; without it there is nothing to judge (but for `present`)."""
    test: Test
    broken: Literal["fail", "note"] = "fail"
    """What a broken rule means; note: worth knowing, it decides nothing."""
    unknown: Literal["inconclusive", "silent"] = "silent"
    """What it means that no row holds."""
    each: Literal["", "image"] = ""
    """Judged once per container image."""
    when: Match = {}
    next_step: str
    source: str
    date: Date
    level: Literal["read", "secondary", "derived"] = "read"
    """How well `source` is known: read itself, reported by others, or concluded from something near (as in `model.sourced.Source`)."""
    rows: list[RuleRow]


class RuleTable(Record):
    """One file of rules."""

    about: str
    as_of: Date
    """Day on which the whole table was last compared with its sources."""
    max_age_days: int | None = None
    """Days after which it may have missed an end of life or a bulletin; None: what it says does not age."""
    rules: list[CompatibilityRule]


def read(name: str) -> object:
    """The content of ``data/<name>.yaml``."""
    data: object = yaml_text.load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))
    return data


def read_all(name: str, key: str) -> list[object]:
    """The rows of `key` in ``data/<name>.yaml`` and, vendor by vendor, in ``data/<name>_<vendor>.yaml``."""
    files = [FOLDER / f"{name}.yaml", *sorted(FOLDER.glob(f"{name}_*.yaml"))]
    return [row for file in files for row in yaml_text.load(file.read_text(encoding="utf-8"))[key]]


@cache
def tables() -> dict[str, RuleTable]:
    """Every table of rules, by the name of its file."""
    names = sorted(path.stem for path in FOLDER.glob("rules_*.yaml"))
    return {name.removeprefix("rules_"): RuleTable.model_validate(read(name)) for name in names}


def age_days(table: RuleTable, as_of: date) -> int:
    """Days between the reading of `table` and `as_of`; negative when the table is younger."""
    return (as_of - date.fromisoformat(table.as_of)).days
