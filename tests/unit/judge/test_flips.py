"""Verdicts that change when limits change."""

from __future__ import annotations

import pytest

from rackwright.judge.flips import flips
from rackwright.model.verdict import Outcome
from tests import build


def verdict(check: str, outcome: str, **change):
    return build.verdict(check, outcome=Outcome(outcome), **change)


def test_only_outcomes_that_change_are_flips() -> None:
    old = [verdict("a", "pass"), verdict("b", "fail"), verdict("c", "pass")]
    new = [verdict("c", "degraded"), verdict("b", "fail"), verdict("a", "pass", observed="another")]
    assert [flip.check for flip in flips(old, new)] == ["c"]


def test_a_flip_shows_both_expectations_and_the_new_sentence() -> None:
    old = verdict("a", "pass", expected="5", source="limit", observed="4", says="n: good")
    new = verdict("a", "fail", expected="3", source="", observed="4.5", says="n: bad")
    [flip] = flips([old], [new])
    assert (flip.check, flip.node, flip.old, flip.new) == ("a", "train-001", "pass", "fail")
    assert (flip.old_expected, flip.new_expected) == ("5 (limit)", "3 (no source)")
    assert (flip.observed, flip.says) == ("4.5", "n: bad")


def test_a_check_that_applies_under_one_table_alone_was_not_run_under_the_other() -> None:
    ended, began = flips([verdict("a", "pass"), verdict("c", "not_run")], [verdict("b", "fail")])
    assert (ended.check, ended.old, ended.new, ended.new_expected) == ("a", "pass", "not_run", "does not apply")
    assert (ended.observed, ended.says) == ("seen", "train-001: a")
    assert (began.check, began.old, began.new, began.old_expected) == ("b", "not_run", "fail", "does not apply")


def test_nodes_are_told_apart() -> None:
    old, new = ([verdict("a", outcome, target=name) for name in ("n1", "n2")] for outcome in ("pass", "fail"))
    assert [(flip.node, flip.worse) for flip in flips(old, [new[0], old[1]])] == [("n1", True)]


@pytest.mark.parametrize(
    ("worst", "best"),
    [("fail", "inconclusive"), ("inconclusive", "not_run"), ("not_run", "degraded"), ("degraded", "pass")],
)
def test_which_outcome_is_the_worse_one(worst, best) -> None:
    [down], [up] = (
        list(flips([verdict("a", first)], [verdict("a", last)])) for first, last in ((best, worst), (worst, best))
    )
    assert (down.worse, up.worse) == (True, False)


def test_an_outcome_is_not_worse_than_itself() -> None:
    [flip] = flips([verdict("a", "pass")], [verdict("a", "fail")])
    assert not flip.model_copy(update={"old": flip.new}).worse
