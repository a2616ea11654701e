"""The records of the rules: the question, the fact that it concerns, and the rows that answer it.

The rules are data because they age in weeks; the code only knows how to compare a row (`judge.py`).
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
"""Whether it works; whether its maker still maintains it; whether it has a known vulnerability; whether every version
is given.
"""

Test = Literal["at_least", "at_most", "equal", "one_of", "none_of", "until", "absent", "present"]
Date = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]
Match = dict[str, str | list[str]]
"""Fact -> pattern or range that it must match (`version.fits`); a list: any of them.

An unknown fact matches nothing.
"""

QUESTIONS: tuple[Question, ...] = ("complete", "runs", "supported", "safe")
"""In the order of printing."""
FOLDER = Path(__file__).parent / "data"


class RuleRow(Record):
    """One row of a rule: its condition, and the expected value."""

    when: Match = {}
    value: str | list[str] = ""
    """Version, pattern, date or fact (``@driver``) to compare with; ``ongoing``: no limit; ``ended``: over, day
    unknown.
    """
    note: str = ""
    """Added to the expected value in answers."""
    source: str = ""
    """Empty: that of the rule."""
    date: str = ""
    level: Literal["read", "secondary", "derived"] | None = None
    """None: that of the rule."""


class CompatibilityRule(Record):
    """One question about one fact; the first row whose `when` holds answers it."""

    rule: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]+$")]
    question: Question
    says: str
    """The claim, without a full stop."""
    subject: str
    """Fact that is judged; without it there is nothing to judge (except for `present`)."""
    test: Test
    broken: Literal["fail", "note"] = "fail"
    """Meaning of a broken rule; note: a remark without effect on decisions."""
    unknown: Literal["inconclusive", "silent"] = "silent"
    """Meaning if no row applies."""
    each: Literal["", "image"] = ""
    """Judged once per container image."""
    when: Match = {}
    next_step: str
    source: str
    date: Date
    level: Literal["read", "secondary", "derived"] = "read"
    """Quality of `source`: read, reported by others, or derived from something related (as in `model.sourced.Source`)."""
    rows: list[RuleRow]


class RuleTable(Record):
    """One file of rules."""

    about: str
    as_of: Date
    """Day on which the whole table was last compared with its sources."""
    max_age_days: int | None = None
    """Days after which the table may have missed an end of life or a bulletin; None: its content does not age."""
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
    """Days between the reading of `table` and `as_of`; negative if the table is newer."""
    return (as_of - date.fromisoformat(table.as_of)).days
