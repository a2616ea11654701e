"""The answers about the software bill of every pool, as findings of one question.

Ends of life are compared with the day on which the tables were read: a design has no clock.
"""

from __future__ import annotations

from datetime import date

from rackwright import compat
from rackwright.compat import CompatibilityAnswer, Question
from rackwright.design.rules.rule import Judged
from rackwright.model.design import Design
from rackwright.model.verdict import Finding, Outcome

FEW = 3
"""Answers that a sentence quotes individually."""


def findings(design: Design, question: Question, bad: Outcome) -> Judged:
    """Per pool with accelerators; `bad` is the outcome of a broken rule. Notes are quoted and decide nothing."""
    day = compat.tables_read()
    for node_class in compat.node_classes(design.site, design.accelerators, design.servers):
        if node_class.accelerator is None:
            continue
        answers = [
            answer
            for answer in compat.judge_bill(node_class.bill, node_class.accelerator, node_class.server, day)
            if answer.question == question
        ]
        judged = compat.overall_outcome(answers, question)
        outcome = bad if judged is Outcome.FAIL else judged
        yield (
            node_class.pool,
            _finding(node_class.pool, question, day, outcome, [a for a in answers if a.outcome is judged]),
        )


def _finding(
    pool: str, question: Question, day: date, outcome: Outcome, decisive: list[CompatibilityAnswer]
) -> Finding:
    if outcome is Outcome.PASS:
        observed, source = (
            f"{len(decisive)} {'rule holds' if len(decisive) == 1 else 'rules hold'}",
            f"rackwright/compat/data, {day}",
        )
    elif decisive:
        observed = "; ".join(
            f"{answer.subject} {answer.found}, expected {answer.expected} [{answer.rule}]" for answer in decisive[:FEW]
        )
        observed += f"; and {len(decisive) - FEW} more" if len(decisive) > FEW else ""
        source = "; ".join(dict.fromkeys(f"{answer.source}, {answer.date}" for answer in decisive[:FEW]))
    else:
        observed, source = "no rule knows these versions", f"rackwright/compat/data, {day}"
    steps = list(dict.fromkeys(answer.next_step for answer in decisive[:FEW] if answer.next_step))
    ask = "ask the maker, and add the rule with its source to rackwright/compat/data"
    return Finding(
        outcome=outcome,
        observed=observed,
        expected=f"a bill that is shown to be {question}" if question != "runs" else "a bill that is shown to run",
        source=source,
        says=f"Software bill of {pool} on {day}: {observed} ({source}).",
        next_step="" if outcome is Outcome.PASS else "; ".join(steps) or ask,
    )
