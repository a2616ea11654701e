"""Readings against what is expected of each."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rackwright import compare
from rackwright.compare.brief import PASSED
from rackwright.compare.loads import together
from rackwright.model.verdict import Outcome
from tests import build

NAN = float("nan")
ONE = build.expectation()
BRIEF = replace(ONE, brief=True)


def every(expectation, readings):
    return compare.every(expectation, readings, lambda value: not value > 5, what="it", expected="5", source="here")


@pytest.mark.parametrize("readings", [{}, {"a": 1.0, "b": None}, {"a": 1.0, "b": NAN}])
@pytest.mark.parametrize("expectation", [ONE, BRIEF])
def test_what_is_not_read_is_inconclusive(readings, expectation) -> None:
    found = every(expectation, readings)
    assert found.outcome == Outcome.INCONCLUSIVE
    assert list(readings) in ([], ["a", "b"])
    assert "no reading of b" in found.says or found.observed == "nothing to read"


@pytest.mark.parametrize("expectation", [ONE, BRIEF])
def test_what_is_wrong_is_worse_than_what_is_missing(expectation) -> None:
    assert every(expectation, {"a": 6, "b": None}).outcome == Outcome.FAIL


def test_a_pass_that_nobody_reads_is_one_object() -> None:
    found = every(BRIEF, {"a": 1, "b": 2})
    assert found is PASSED
    assert together([found, found]) is PASSED
    assert every(ONE, {"a": 1, "b": 2}).says == "train-001: it 1, 2 on all 2; expected 5 (here)"


def test_of_several_findings_the_worse_one_is_said_in_full() -> None:
    bad = every(BRIEF, {"a": 6})
    assert together([every(BRIEF, {"a": 1}), bad]) == bad


def test_words_are_made_only_for_who_reads_them() -> None:
    made = []

    def words() -> str:
        made.append(1)
        return "words"

    for expectation, reading in ((BRIEF, 1), (ONE, 1), (BRIEF, 9)):
        found = compare.every(
            expectation, {"a": reading}, lambda value: value < 5, what=words, expected=words, source=""
        )
    assert len(made) == 4
    assert found.says == "train-001: words a: 9; expected words ()"


def test_a_bad_part_is_not_hidden_by_another_one_of_its_name() -> None:
    twins = compare.Named([9, 1], lambda: ["a", "a"])
    assert every(ONE, twins).outcome == every(BRIEF, twins).outcome == Outcome.FAIL
    assert list(twins) == ["a", "a (2)"]
    with pytest.raises(ValueError, match="argument 2"):
        len(compare.Named([1, 2], lambda: ["a"]))
