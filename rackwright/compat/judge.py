"""Answers for a bill whether it runs, is supported and is safe: each rule on its own, with its source and date.

Pure; a rule that cannot
be judged is inconclusive, and a table that has aged says so, once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from rackwright.compat import facts as fact
from rackwright.compat import images, rule, version
from rackwright.compat.facts import Facts
from rackwright.compat.rule import Question, Row, Rule, Table
from rackwright.model.base import Record
from rackwright.model.sku import Accelerator, Server
from rackwright.model.software import Bill
from rackwright.model.verdict import Outcome


class Answer(Record):
    """What one rule says of one bill."""

    question: Question
    outcome: Outcome
    """degraded: worth knowing, decides nothing."""
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
    """Empty where it passes."""


def judge(bill: Bill, accelerator: Accelerator | None, server: Server | None, as_of: str) -> list[Answer]:
    """Every answer about `bill`, in the order of questions and rules; `as_of` is an ISO date, empty when not known."""
    return judge_facts(fact.of(bill, accelerator, server), bill.images or [], as_of)


def judge_facts(facts: Facts, names: list[str], as_of: str) -> list[Answer]:
    """`judge` of facts that came from elsewhere: from packages as they are installed."""
    answers: list[Answer] = []
    for name, table in rule.tables().items():
        found = [
            answer for one in table.rules for seen in _seen(one, facts, names) for answer in _answers(one, seen, as_of)
        ]
        answers += found + list(_age(name, table, found, as_of))
    return sorted(answers, key=lambda answer: rule.QUESTIONS.index(answer.question))


def _seen(one: Rule, facts: Facts, names: list[str]) -> list[Facts]:
    return [images.of(name, facts) for name in names] if one.each == "image" else [facts]


def _answers(one: Rule, facts: Facts, as_of: str) -> Iterator[Answer]:
    if not fact.holds(one.when, facts):
        return
    if one.test == "present":
        yield from _present(one, facts)
        return
    if one.subject not in facts:
        return
    row = next((row for row in one.rows if fact.holds(row.when, facts)), None)
    if row is not None:
        outcome, expected = _compare(one, row, facts, as_of)
        yield _answer(one, facts, outcome, expected, row)
    elif one.unknown == "inconclusive":
        yield _answer(one, facts, Outcome.INCONCLUSIVE, "a row of this rule that covers it", Row())


def _present(one: Rule, facts: Facts) -> Iterator[Answer]:
    wanted = {field: row for row in one.rows if fact.holds(row.when, facts) for field in row.value}
    for field, row in wanted.items():
        outcome = Outcome.PASS if field in facts else _broken(one)
        yield _answer(one, facts, outcome, "a version", row).model_copy(
            update={"subject": field, "found": facts.get(field, "none")}
        )


def _compare(one: Rule, row: Row, facts: Facts, as_of: str) -> tuple[Outcome, str]:
    """The outcome of one row, and what it expects, in words."""
    found = facts[one.subject]
    if one.test == "absent":
        return _broken(one), f"none on {facts.get('platform', 'this platform')}"
    if one.test == "until":
        return _until(one, str(row.value), row.date or one.date, as_of)
    if one.test in {"one_of", "none_of"}:
        patterns = row.value if isinstance(row.value, list) else [row.value]
        fits = any(version.fits(found, pattern) for pattern in patterns)
        word = "any of" if patterns == ["*"] else one.test.replace("_", " ")
        return _outcome(one, fits == (one.test == "one_of")), f"{word} {', '.join(patterns)}"
    value = str(row.value)
    if value == "ongoing":
        return Outcome.PASS, "any"
    wanted = facts.get(value[1:], "") if value.startswith("@") else value
    if not wanted:
        return Outcome.INCONCLUSIVE, f"a known {value[1:]}"
    named = f"{wanted} ({value[1:]})" if value.startswith("@") else wanted
    if one.test == "equal":
        return _outcome(one, version.key(found) == version.key(wanted) and found == wanted), f"{named}, exactly"
    if one.test == "at_most":
        return _outcome(one, version.within(found, wanted)), f"at most {named}"
    return _outcome(one, version.compare(found, wanted) >= 0), f"at least {named}"


def _until(one: Rule, end: str, read: str, as_of: str) -> tuple[Outcome, str]:
    """A branch without an end date has ended by the day on which it was read to be no longer listed."""
    if end == "ended":
        ended = bool(as_of) and as_of >= read
        return (
            _broken(one) if ended else Outcome.INCONCLUSIVE
        ), f"a branch that is listed (this one was not on {read})"
    if not as_of:
        return Outcome.INCONCLUSIVE, f"a date to compare with {end}"
    return _outcome(one, as_of <= end), f"in use until {end}"


def _outcome(one: Rule, good: bool) -> Outcome:
    return Outcome.PASS if good else _broken(one)


def _broken(one: Rule) -> Outcome:
    return Outcome.FAIL if one.broken == "fail" else Outcome.DEGRADED


def _answer(one: Rule, facts: Facts, outcome: Outcome, expected: str, row: Row) -> Answer:
    found = facts.get(one.subject, "")
    if one.each == "image":
        found = f"{facts['image']} with {found}" if found != facts["image"] else found
    return Answer(
        question=one.question,
        outcome=outcome,
        subject=one.subject,
        found=found,
        expected=f"{expected}; {row.note}" if row.note else expected,
        rule=one.rule,
        says=one.says,
        source=row.source or one.source,
        date=row.date or one.date,
        level=row.level or one.level,
        next_step="" if outcome is Outcome.PASS else one.next_step,
    )


def _age(name: str, table: Table, found: list[Answer], as_of: str) -> Iterator[Answer]:
    """One answer for a table that was used although it is older than it may be."""
    if table.max_age_days is None or not found or not as_of or rule.age_days(table, as_of) <= table.max_age_days:
        return
    yield Answer(
        question=found[0].question,
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
