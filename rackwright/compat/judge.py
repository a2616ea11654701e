"""Judges whether a bill runs, is supported and is safe: one answer per rule, with its source and date.

A rule that cannot be evaluated is inconclusive, and a table that is too old adds one answer about that.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Literal

from rackwright.compat import facts as fact
from rackwright.compat import images, rule, version
from rackwright.compat.facts import Facts
from rackwright.compat.rule import CompatibilityRule, Question, RuleRow, RuleTable
from rackwright.model.base import Record
from rackwright.model.sku import Accelerator, Server
from rackwright.model.software import Bill
from rackwright.model.verdict import Outcome


class CompatibilityAnswer(Record):
    """The answer of one rule for one bill."""

    question: Question
    outcome: Outcome
    """degraded: a remark without effect on decisions."""
    subject: str
    """Field of the bill, or fact derived from it, that was judged."""
    found: str
    expected: str
    rule: str
    says: str
    """The claim of the rule."""
    source: str
    date: str
    level: Literal["read", "secondary", "derived"] = "read"
    """Whether the source was read itself."""
    next_step: str = ""
    """Empty if it passes."""


def judge_bill(
    bill: Bill, accelerator: Accelerator | None, server: Server | None, as_of: date | None
) -> list[CompatibilityAnswer]:
    """Every answer about `bill`, in the order of questions and rules; `as_of` is None if unknown."""
    return judge_facts(fact.derive_facts(bill, accelerator, server), bill.images or [], as_of)


def judge_facts(facts: Facts, names: list[str], as_of: date | None) -> list[CompatibilityAnswer]:
    """As `judge_bill`, for facts from another source, such as installed packages."""
    answers: list[CompatibilityAnswer] = []
    for name, table in rule.tables().items():
        of_table = [
            answer
            for rule_ in table.rules
            for facts_ in _fact_sets(rule_, facts, names)
            for answer in _answers(rule_, facts_, as_of)
        ]
        answers += of_table + list(_age(name, table, of_table, as_of))
    return sorted(answers, key=lambda answer: rule.QUESTIONS.index(answer.question))


def supported_systems(accelerator: Accelerator | None, server: Server | None) -> list[str]:
    """Operating systems that the makers of the hardware support, the first choice first; empty if no rule names any."""
    facts = fact.derive_facts(Bill(), accelerator, server)
    rules = [row for table in rule.tables().values() for row in table.rules if row.subject == "os"]
    rows = [
        row for rule_ in rules if fact.holds(rule_.when, facts) for row in rule_.rows if fact.holds(row.when, facts)
    ]
    return [system for row in rows if isinstance(row.value, list) for system in row.value]


def _fact_sets(rule_: CompatibilityRule, facts: Facts, names: list[str]) -> list[Facts]:
    return [images.image_facts(name, facts) for name in names] if rule_.each == "image" else [facts]


def _answers(rule_: CompatibilityRule, facts: Facts, as_of: date | None) -> Iterator[CompatibilityAnswer]:
    if not fact.holds(rule_.when, facts):
        return
    if rule_.test == "present":
        yield from _present(rule_, facts)
        return
    if rule_.subject not in facts:
        return
    row = next((row for row in rule_.rows if fact.holds(row.when, facts)), None)
    if row is not None:
        outcome, expected = _compare(rule_, row, facts, as_of)
        yield _answer(rule_, facts, outcome, expected, row)
    elif rule_.unknown == "inconclusive":
        yield _answer(rule_, facts, Outcome.INCONCLUSIVE, "a row of this rule that covers it", RuleRow())


def _present(rule_: CompatibilityRule, facts: Facts) -> Iterator[CompatibilityAnswer]:
    required = {field: row for row in rule_.rows if fact.holds(row.when, facts) for field in row.value}
    for field, row in required.items():
        outcome = Outcome.PASS if field in facts else _broken_outcome(rule_)
        yield _answer(rule_, facts, outcome, "a version", row).model_copy(
            update={"subject": field, "found": facts.get(field, "none")}
        )


def _compare(rule_: CompatibilityRule, row: RuleRow, facts: Facts, as_of: date | None) -> tuple[Outcome, str]:
    """The outcome of one row, and the expected value in words."""
    actual = facts[rule_.subject]
    if rule_.test == "absent":
        return _broken_outcome(rule_), f"none on {facts.get('platform', 'this platform')}"
    if rule_.test == "until":
        return _end_of_life_outcome(rule_, str(row.value), row.date or rule_.date, as_of)
    if rule_.test in {"one_of", "none_of"}:
        patterns = row.value if isinstance(row.value, list) else [row.value]
        fits = any(version.fits(actual, pattern) for pattern in patterns)
        word = "any of" if patterns == ["*"] else rule_.test.replace("_", " ")
        return _outcome(rule_, fits == (rule_.test == "one_of")), f"{word} {', '.join(patterns)}"
    value = str(row.value)
    if value == "ongoing":
        return Outcome.PASS, "any"
    expected_version = facts.get(value[1:], "") if value.startswith("@") else value
    if not expected_version:
        return Outcome.INCONCLUSIVE, f"a known {value[1:]}"
    expected_text = f"{expected_version} ({value[1:]})" if value.startswith("@") else expected_version
    if rule_.test == "equal":
        return _outcome(
            rule_, version.key(actual) == version.key(expected_version) and actual == expected_version
        ), f"{expected_text}, exactly"
    if rule_.test == "at_most":
        return _outcome(rule_, version.within(actual, expected_version)), f"at most {expected_text}"
    return _outcome(rule_, version.compare(actual, expected_version) >= 0), f"at least {expected_text}"


def _end_of_life_outcome(rule_: CompatibilityRule, end: str, read: str, as_of: date | None) -> tuple[Outcome, str]:
    """Outcome and expected value of a support end; a branch without an end date has ended on the day on which it was
    found to be no longer listed.
    """
    if end == "ended":
        ended = as_of is not None and as_of >= date.fromisoformat(read)
        return (
            _broken_outcome(rule_) if ended else Outcome.INCONCLUSIVE
        ), f"a branch that is listed (this one was not on {read})"
    if as_of is None:
        return Outcome.INCONCLUSIVE, f"a date to compare with {end}"
    return _outcome(rule_, as_of <= date.fromisoformat(end)), f"in use until {end}"


def _outcome(rule_: CompatibilityRule, good: bool) -> Outcome:
    return Outcome.PASS if good else _broken_outcome(rule_)


def _broken_outcome(rule_: CompatibilityRule) -> Outcome:
    return Outcome.FAIL if rule_.broken == "fail" else Outcome.DEGRADED


def _answer(
    rule_: CompatibilityRule, facts: Facts, outcome: Outcome, expected: str, row: RuleRow
) -> CompatibilityAnswer:
    actual = facts.get(rule_.subject, "")
    if rule_.each == "image":
        actual = f"{facts['image']} with {actual}" if actual != facts["image"] else actual
    return CompatibilityAnswer(
        question=rule_.question,
        outcome=outcome,
        subject=rule_.subject,
        found=actual,
        expected=f"{expected}; {row.note}" if row.note else expected,
        rule=rule_.rule,
        says=rule_.says,
        source=row.source or rule_.source,
        date=row.date or rule_.date,
        level=row.level or rule_.level,
        next_step="" if outcome is Outcome.PASS else rule_.next_step,
    )


def _age(
    name: str, table: RuleTable, answers: list[CompatibilityAnswer], as_of: date | None
) -> Iterator[CompatibilityAnswer]:
    """One answer if the table was used although it is older than allowed."""
    if table.max_age_days is None or not answers or as_of is None or rule.age_days(table, as_of) <= table.max_age_days:
        return
    yield CompatibilityAnswer(
        question=answers[0].question,
        outcome=Outcome.DEGRADED,
        subject=f"table {name}",
        found=f"read on {table.as_of}, {rule.age_days(table, as_of)} days before {as_of}",
        expected=f"read within {table.max_age_days} days",
        rule=f"age-of-{name}",
        says=f"The table of {name} is recent enough to have seen the latest bulletins",
        source=f"rackwright/compat/data/rules_{name}.yaml",
        date=table.as_of,
        next_step=f"read the sources again and update rules_{name}.yaml; until then newer bulletins are not known here",
    )
