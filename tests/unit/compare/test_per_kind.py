"""A memory of what the limits say to one kind of node."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rackwright import compare
from rackwright.compare import per_kind
from rackwright.judge.limits import LimitTable
from tests import build

ONE = build.expectation()


def runs_of(*nodes, metric: str = "a") -> int:
    """How often a function is run when these nodes ask."""
    runs = []

    def act(expectation, name):
        runs.append(name)

    remembered = per_kind.per_kind(act)
    for node in nodes:
        remembered(node, metric)
    return len(runs)


def test_equal_nodes_ask_once() -> None:
    assert runs_of(ONE, replace(ONE, node=replace(ONE.node, name="train-009", rack="r9")), ONE) == 1


@pytest.mark.parametrize(
    "neighbour",
    [
        replace(ONE, limits=LimitTable((), ())),
        replace(ONE, baselines=LimitTable((), ())),
        *(
            replace(ONE, node=replace(ONE.node, **change))
            for change in (
                {"scheduler": "other"},
                {"accelerators": 4},
                {"accelerator": None},
                {"server": ONE.node.server.model_copy(update={"sku": "other"})},
                {"accelerator": ONE.node.accelerator.model_copy(update={"sku": "other"})},
            )
        ),
    ],
)
def test_everything_that_limits_are_asked_by_tells_kinds_apart(neighbour) -> None:
    assert runs_of(ONE, neighbour) == 2


def test_other_keys_are_other_questions() -> None:
    rows = [build.limit("bus", match={"size": size}, value=value) for size, value in (("1GiB", 1), ("8GiB", 2))]
    limited = replace(ONE, limits=LimitTable((), tuple(map(build.row, rows))))
    assert [compare.limit(limited, "bus", size=size).value for size in ("1GiB", "8GiB", "1GiB")] == [1, 2, 1]
    assert compare.limit(limited, "bus") is None
    assert compare.limit(limited, "other", size="1GiB") is None


def test_the_memory_is_bounded(monkeypatch) -> None:
    monkeypatch.setattr(per_kind, "MOST", 2)
    neighbours = [replace(ONE, node=replace(ONE.node, accelerators=count)) for count in range(5)]
    assert runs_of(*neighbours, *neighbours) == 10
    assert runs_of(neighbours[0], neighbours[1], neighbours[0]) == 2


def test_a_node_is_looked_at_once_until_another_one_is() -> None:
    looked = []
    remembered = per_kind.per_node(lambda node: looked.append(node.node.name) or len(looked))
    peer = replace(ONE, node=replace(ONE.node, name="train-009"))
    assert [remembered(node) for node in (ONE, ONE, peer, ONE)] == [1, 1, 2, 3]
    assert looked == [ONE.node.name, "train-009", ONE.node.name]


def test_nothing_is_remembered_of_a_crash() -> None:
    answers = iter([KeyError("links"), 7])

    def act(_):
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    remembered = per_kind.per_node(act)
    with pytest.raises(KeyError):
        remembered(ONE)
    assert remembered(ONE) == 7
