"""The overall outcome of many answers."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from rackwright.compat.judge import CompatibilityAnswer
from rackwright.compat.rule import Question, tables
from rackwright.model.verdict import Outcome


def overall_outcome(answers: Iterable[CompatibilityAnswer], question: Question) -> Outcome:
    """Fail before inconclusive before pass; remarks have no effect, and a question that no rule judged is inconclusive."""
    outcomes = {answer.outcome for answer in answers if answer.question == question} - {Outcome.DEGRADED}
    if Outcome.FAIL in outcomes:
        return Outcome.FAIL
    return Outcome.PASS if outcomes == {Outcome.PASS} else Outcome.INCONCLUSIVE


def tables_read() -> date:
    """The latest day on which an ageing table was compared with its sources: the day for which a design is judged."""
    return date.fromisoformat(max(table.as_of for table in tables().values() if table.max_age_days is not None))
