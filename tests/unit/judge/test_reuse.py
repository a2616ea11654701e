from __future__ import annotations

from dataclasses import replace

import pytest

from rackwright import compare
from rackwright.judge.reuse import Reuse, named
from rackwright.model.check import Check
from rackwright.model.evidence.host import Clock
from rackwright.model.verdict import Finding, Outcome
from tests import build

SEEN = Clock(reference="ntp", stratum=3, offset_seconds=0.0, leap_status="Normal")


def expectations():
    one = build.expected("train-001")
    return [
        replace(one, node=replace(one.node, name=name, unit=unit)) for unit, name in enumerate(("a", "b", "c", "d"))
    ]


def judged(says) -> tuple[list[str], int]:
    """What every node is told, and how often the check was asked."""
    asked = []

    def judge(expectation, seen) -> Finding:
        asked.append(seen)
        return says(expectation, seen)

    check, reuse = Check(title="one", reads=Clock, judge=judge), Reuse()
    found = [(one, reuse.judge("one", check, one, SEEN)) for one in expectations()]
    return [named(finding, one.node.name).says for one, finding in found], len(asked)


def finding(expectation, observed: str) -> Finding:
    return compare.finding(expectation, Outcome.FAIL, what="it is", observed=observed, expected="x", source="s")


def test_equal_nodes_are_judged_once_and_named_each() -> None:
    said, asked = judged(lambda one, seen: finding(one, one.node.server.sku))
    sku = expectations()[0].node.server.sku
    assert said == [f"{name}: it is {sku}; expected x (s)" for name in "abcd"]
    assert asked == 2


@pytest.mark.parametrize("field", ["name", "unit"])
def test_what_nodes_do_not_share_is_judged_for_each(field) -> None:
    said, _ = judged(lambda one, seen: finding(one, str(getattr(one.node, field))))
    assert said == [f"{one.node.name}: it is {getattr(one.node, field)}; expected x (s)" for one in expectations()]


def test_a_name_outside_the_sentence_is_judged_for_each() -> None:
    said, _ = judged(lambda one, seen: finding(one, one.subject))
    assert said == [f"{name}: it is {name}; expected x (s)" for name in "abcd"]


def test_another_kind_of_node_is_judged_anew() -> None:
    check, reuse = Check(title="one", reads=Clock, judge=lambda one, seen: finding(one, one.node.pool)), Reuse()
    first, second, third = expectations()[:3]
    other = replace(third, node=replace(third.node, pool="other"))
    said = [reuse.judge("one", check, one, SEEN).observed for one in (first, second, other, second)]
    assert said == [first.node.pool, first.node.pool, "other", first.node.pool]


def test_another_record_is_judged_anew() -> None:
    check, reuse = Check(title="one", reads=Clock, judge=lambda one, seen: finding(one, str(seen.stratum))), Reuse()
    records = [SEEN, SEEN, SEEN.model_copy(update={"stratum": 9}), SEEN]
    said = [
        reuse.judge("one", check, one, record).observed for one, record in zip(expectations(), records, strict=True)
    ]
    assert said == ["3", "3", "9", "3"]


def test_a_crash_is_told_of_the_node_itself() -> None:
    with pytest.raises(ZeroDivisionError):
        judged(lambda one, seen: 1 // 0)
