"""Which limits apply to a node."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rackwright.compare.limits import about, kind
from tests import build

ONE = build.expectation()


def test_equal_nodes_are_of_one_kind_whatever_they_are_called() -> None:
    neighbour = replace(ONE, node=replace(ONE.node, name="train-009", rack="r9"))
    assert (about(neighbour), kind(neighbour)) == (about(ONE), kind(ONE))


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
    assert about(neighbour) != about(ONE)
    assert kind(neighbour) != kind(ONE)


def test_nodes_with_other_limits_are_of_another_kind() -> None:
    assert kind(build.expectation(no_limits=True)) != kind(ONE)
