"""Which limits apply to a node."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rackwright.compare import limits
from rackwright.compare.limits import kind, limits_about
from tests import build

ONE = build.expectation()


def test_equal_nodes_are_of_one_kind_whatever_they_are_called() -> None:
    neighbour = replace(ONE, node=replace(ONE.node, name="train-009", rack="r9"))
    assert (limits_about(neighbour), kind(neighbour)) == (limits_about(ONE), kind(ONE))


@pytest.mark.parametrize(
    "change",
    [
        {"scheduler": "other"},
        {"accelerators": 4},
        {"accelerator": None},
        {"server": ONE.node.server.model_copy(update={"sku": "other"})},
        *({"accelerator": ONE.node.accelerator.model_copy(update={word: "other"})} for word in ("sku", "vendor")),
        {"accelerator": ONE.node.accelerator.model_copy(update={"architecture": "other"})},
    ],
)
def test_everything_that_a_limit_may_be_keyed_by_tells_kinds_apart(change) -> None:
    neighbour = replace(ONE, node=replace(ONE.node, **change))
    assert limits_about(neighbour) != limits_about(ONE)
    assert kind(neighbour) != kind(ONE)


def test_nodes_with_other_limits_are_of_another_kind() -> None:
    assert kind(build.expectation(no_limits=True)) != kind(ONE)


@pytest.mark.parametrize(("value", "words"), [("a", ["a"]), (["a", "b"], ["a", "b"]), (5, ["5"])])
def test_the_words_of_a_limit(value, words) -> None:
    assert limits.words(build.limit("it", value=value)) == words


def test_the_number_of_a_limit() -> None:
    assert [limits.number(build.limit("it", value=value)) for value in (5, 2.5)] == [5, 2.5]
    with pytest.raises(TypeError, match="limit it must be a number, found 'five'"):
        limits.number(build.limit("it", value="five"))


def test_what_is_known_of_a_node() -> None:
    assert limits_about(ONE) == {
        "server": "dgx-h100",
        "scheduler": "slurm",
        "architecture": "hopper",
        "accelerator": "h100-sxm",
        "vendor": "nvidia",
        "accelerators": "8",
    }
    assert limits_about(build.expectation("slurm-01")) == {"server": "head-node-1u", "scheduler": "none"}


def test_sentences() -> None:
    finding = limits.no_limit(ONE, "speed")
    assert finding.says == "train-001: no limit for speed on dgx-h100, so nothing can be judged"
    assert (finding.expected, finding.observed, finding.source) == ("a row for speed", "", "")
    assert limits.limit_source(build.limit("speed")) == "limit speed: a paper, 2026-01-01"
