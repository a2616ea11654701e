from __future__ import annotations

import pytest

from rackwright.compare.alike import compare_words
from rackwright.model.verdict import Outcome
from tests import build

NAMES = [f"train-{number:03d}" for number in range(1, 6)]


def judged(values, *, pinned="", **change):
    readings = [(build.expectation(name, **change), value) for name, value in zip(NAMES, values, strict=False)]
    findings = compare_words(readings, metric="fleet.alike_nodes", what="firmware", pinned=lambda _: (pinned, "site"))
    return [findings[expectation.node.name].outcome for expectation, _ in readings]


def test_the_odd_one_of_many_fails_and_no_other() -> None:
    assert judged(["2", "2", "1", "2", "2"]) == [Outcome.PASS, Outcome.PASS, Outcome.FAIL, Outcome.PASS, Outcome.PASS]


def test_two_that_differ_tell_nothing() -> None:
    assert judged(["1", "2"]) == [Outcome.NOT_RUN] * 2


def test_without_a_majority_nobody_is_blamed() -> None:
    assert judged(["1", "1", "2", "2"]) == [Outcome.INCONCLUSIVE] * 4


def test_a_declared_value_counts_for_one_node_alone_and_against_a_majority() -> None:
    assert judged(["1", "1", "2"], pinned="2") == [Outcome.FAIL, Outcome.FAIL, Outcome.PASS]
    assert judged(["2"], pinned="2") == [Outcome.PASS]


def test_no_reading_and_no_limit_are_never_a_pass() -> None:
    assert judged(["1", "1", None, "1"])[2] == Outcome.INCONCLUSIVE
    assert set(judged(["1", "1", "1"], no_limits=True)) == {Outcome.INCONCLUSIVE}


@pytest.mark.parametrize("server", ["cpu-node-2u"])
def test_nodes_of_another_server_are_no_peers(server) -> None:
    mine = [(build.expectation(name), "1") for name in NAMES[:3]]
    theirs = [
        (build.expectation(NAMES[3], server={"sku": server}), "2"),
        (build.expectation(NAMES[4], server={"sku": server}), "2"),
    ]
    findings = compare_words([*mine, *theirs], metric="fleet.alike_nodes", what="firmware")
    assert findings[NAMES[0]].outcome == Outcome.PASS
    assert findings[NAMES[3]].outcome == Outcome.NOT_RUN
