"""Readings against what is expected of each."""

from __future__ import annotations

import pytest

from rackwright import compare
from rackwright.compare.loads import combine_findings
from rackwright.compare.named_readings import MANY, NamedReadings, all_good
from rackwright.model.lazy_finding import worded
from rackwright.model.verdict import Finding, Outcome
from tests import build

NAN = float("nan")
ONE = build.expectation()


def every(expectation, readings):
    return compare.every(expectation, readings, lambda value: not value > 5, what="it", expected="5", source="here")


@pytest.mark.parametrize("readings", [{}, {"a": 1.0, "b": None}, {"a": 1.0, "b": NAN}])
def test_what_is_not_read_is_inconclusive(readings) -> None:
    finding = every(ONE, readings)
    assert finding.outcome == Outcome.INCONCLUSIVE
    assert list(readings) in ([], ["a", "b"])
    assert "no reading of b" in finding.says or finding.observed == "nothing to read"


def test_what_is_wrong_is_worse_than_what_is_missing() -> None:
    assert every(ONE, {"a": 6, "b": None}).outcome == Outcome.FAIL


def test_of_several_passes_all_are_said() -> None:
    finding = every(ONE, {"a": 1, "b": 2})
    assert finding.says == "train-001: it 1, 2 on all 2; expected 5 (here)"
    assert combine_findings([finding, finding]).says == f"{finding.says}; it 1, 2 on all 2; expected 5 (here)"


def test_of_several_findings_the_worse_one_is_said_in_full() -> None:
    bad = every(ONE, {"a": 6})
    assert combine_findings([every(ONE, {"a": 1}), bad]) == bad


def test_words_are_made_only_for_who_reads_them() -> None:
    words_made = []

    def words() -> str:
        words_made.append(1)
        return "words"

    good, bad = (
        compare.every(ONE, {"a": reading}, lambda value: value < 5, what=words, expected=words, source="")
        for reading in (1, 9)
    )
    assert (good.outcome, bad.outcome, len(words_made)) == (Outcome.PASS, Outcome.FAIL, 2)
    assert good.says == good.says == "train-001: words 1; expected words ()"
    assert len(words_made) == 4
    assert bad.says == "train-001: words a: 9; expected words ()"


def test_a_bad_part_is_not_hidden_by_another_one_of_its_name() -> None:
    twins = compare.NamedReadings([9, 1], lambda: ["a", "a"])
    assert every(ONE, twins).outcome == Outcome.FAIL
    assert list(twins) == ["a", "a (2)"]
    with pytest.raises(ValueError, match="argument 2"):
        len(compare.NamedReadings([1, 2], lambda: ["a"]))


def test_words_that_are_no_text_are_refused_and_not_printed() -> None:
    finding = compare.finding(build.expectation(), Outcome.PASS, what="w", observed=lambda: 3, expected="x", source="s")
    with pytest.raises(TypeError, match="a finding has words, got 3"):
        worded(finding)


def test_the_number_of_a_finding_is_a_float_though_a_cell_gives_a_whole_one() -> None:
    finding = compare.finding(
        build.expectation(), Outcome.FAIL, what="w", observed="3", expected="x", source="s", value=3, limit=4
    )
    assert (repr(finding.value), repr(finding.limit)) == ("3.0", "4.0")
    assert finding == Finding.model_validate(finding.model_dump())


@pytest.mark.parametrize(
    ("last", "good"),
    [("well", True), ("worn", False), (None, False), (1.0, False), (float("nan"), False), (["well"], False)],
)
def test_many_readings_are_judged_as_few_are_and_equal_words_are_looked_at_once(last, good):
    judged = []

    def is_well(value):
        judged.append(value)
        return value == "well"

    for count in (2, MANY):
        judged.clear()
        readings = NamedReadings([*["well"] * (count - 1), last], lambda: pytest.fail("nobody asked for names"))
        assert all_good(readings, is_well) is good
    if last is None or isinstance(last, str):
        assert len(judged) <= 2
    assert not all_good(dict(enumerate([*[True] * MANY, 1])), lambda value: value is True)


def test_a_pass_is_put_into_words_without_the_names_of_its_parts():
    readings = NamedReadings(["b", "a", "b"], lambda: pytest.fail("nobody asked for names"))
    finding = compare.every(build.expectation(), readings, bool, what="state", expected="any", source="design")
    assert worded(finding).observed == "a, b on all 3"
