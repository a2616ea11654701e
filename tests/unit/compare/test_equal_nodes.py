"""Findings that are worded when somebody reads them, and not before."""

from __future__ import annotations

import pytest

from rackwright.compare import equal
from rackwright.compare.equal_nodes import judge_alike, judge_once
from rackwright.judge.node_view import sentence
from rackwright.model.verdict import Outcome
from tests import build

NAMES = [f"train-{number:03d}" for number in range(1, 6)]


def answers(words, keys=None, judge=judge_once):
    """The findings of five nodes, each of which should read ``1``, and the nodes that were judged."""
    calls = []

    def say(expectation, word):
        calls.append(expectation.node.name)
        return equal(expectation, word, "1", what="word", source="test")

    peers = [(build.expectation(name), word) for name, word in zip(NAMES, words, strict=True)]
    return judge(peers, words if keys is None else keys, say), calls


def test_equal_nodes_that_pass_are_asked_once() -> None:
    findings, calls = answers("11111")
    assert calls == NAMES[:1]
    assert {finding.outcome for finding in findings.values()} == {Outcome.PASS}
    assert calls == NAMES[:1]
    assert findings["train-004"].says.startswith("train-004: word 1")


def test_each_node_that_fails_has_a_sentence_of_its_own() -> None:
    findings, calls = answers("12121")
    assert calls == ["train-001", "train-002", "train-004"]
    assert [name for name, finding in findings.items() if finding.outcome == Outcome.PASS] == [
        "train-001",
        "train-003",
        "train-005",
    ]
    assert [finding.outcome for finding in findings.values()] == [Outcome.PASS, Outcome.FAIL] * 2 + [Outcome.PASS]
    assert "train-004" in findings["train-004"].says


def test_equal_nodes_that_pass_alike_share_a_finding_with_the_name_of_each() -> None:
    findings, calls = answers("12121", judge=judge_alike)
    assert calls == ["train-001", "train-002", "train-004"]
    shared = [findings[name] for name in NAMES[::2]]
    assert shared[0] is shared[1] is shared[2]
    alone, _ = answers("12121", range(5))
    assert {name: sentence(finding, name) for name, finding in findings.items()} == {
        name: finding.says for name, finding in alone.items()
    }


def test_every_node_is_in_it_once_in_order_and_no_other() -> None:
    findings, _ = answers("11211")
    assert (list(findings), len(findings)) == (NAMES, 5)
    assert findings.get("train-006") is None
    with pytest.raises(KeyError):
        findings["train-006"]


def test_a_check_that_crashes_crashes_when_it_compares() -> None:
    with pytest.raises(ZeroDivisionError):
        judge_once([(build.expectation(), None)], [0], lambda *_: 1 / 0)
