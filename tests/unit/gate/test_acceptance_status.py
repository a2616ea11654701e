"""What recorded decisions mean for nodes and groups."""

from __future__ import annotations

from datetime import UTC, datetime

from rackwright import gate
from rackwright.model.gate import Gate
from rackwright.model.last_decisions import GroupStanding, NodeStanding
from rackwright.model.node_state import DecidedState

NAMES = [f"n{number}" for number in range(4)]
DESIGNS = dict.fromkeys(NAMES, "d1")
RACK = Gate(name="rack", allow_degraded=True, checks=["gpu.*"], scope="rack", share=0.75)
NODE = Gate(name="node", allow_degraded=True, checks=["gpu.*"])


def at(hour: int) -> datetime:
    return datetime(2026, 11, 21, hour, tzinfo=UTC)


def standing(node: str, *, accepted: bool = True, hour: int = 9, design: str = "d1") -> NodeStanding:
    return NodeStanding(node, accepted, "rackwright: why", at(hour), f"run-{hour}", DecidedState(design, "b", "580"))


def of_rack(*, is_open: bool = True, covered: int = 4, hour: int = 9) -> GroupStanding:
    return GroupStanding("rack", "rack", "r1", is_open, covered, "3 of 4", at(hour), f"run-{hour}")


def rack(standings, of_group):
    nodes = gate.node_status(DESIGNS, standings, "rack")
    [status] = gate.group_status({"rack": {"r1": NAMES}}, nodes, of_group, [NODE, RACK])
    return status


def unit(standings):
    nodes = gate.node_status(DESIGNS, standings, "rack")
    [status] = gate.group_status({"unit": {"train-su0": NAMES}}, nodes, [], [NODE, RACK])
    return status


def test_a_node_is_what_was_decided_last() -> None:
    nodes = gate.node_status(DESIGNS, [standing("n0"), standing("n1", accepted=False)], "handover")
    assert (nodes["n0"].state, nodes["n0"].since, nodes["n0"].run) == ("released", "2026-11-21T09:00:00+00:00", "run-9")
    assert (nodes["n1"].state, nodes["n1"].reason) == ("held", "why")


def test_a_node_that_nobody_decided_on_is_held() -> None:
    node = gate.node_status(DESIGNS, [], "handover")["n0"]
    assert (node.state, node.since, node.released_nodes, node.held_nodes) == ("held", None, 0, ["n0"])
    assert "no gate has decided" in node.reason


def test_a_node_of_another_design_is_held_again() -> None:
    for design, words in (("d0", "the design of the node was changed since"), ("", "it names no design")):
        node = gate.node_status(DESIGNS, [standing("n0", design=design)], "handover")["n0"]
        assert node.state == "held"
        assert words in node.reason
    refused = gate.node_status(DESIGNS, [standing("n0", accepted=False, design="d0")], "handover")["n0"]
    assert refused.reason == "why"


def test_a_rack_is_released_with_enough_nodes_and_an_open_gate() -> None:
    most = [standing(node, hour=9 + place) for place, node in enumerate(NAMES[:3])]
    status = rack(most, [of_rack(hour=10)])
    assert (status.state, status.since) == ("released", "2026-11-21T11:00:00+00:00")
    assert (status.nodes, status.released_nodes, status.held_nodes) == (4, 3, ["n3"])


def test_a_rack_is_held_since_the_node_that_was_one_too_many() -> None:
    held = [standing("n0"), standing("n1"), standing("n2", accepted=False, hour=12), standing("n3", accepted=False, hour=11)]  # fmt: skip
    status = rack(held, [of_rack()])
    assert (status.state, status.since) == ("held", "2026-11-21T12:00:00+00:00")
    assert status.reason == "2 of 4 nodes are released, 3 needed"


def test_a_rack_whose_gate_never_covered_all_nodes_is_held() -> None:
    status = rack([standing(node) for node in NAMES], [of_rack(covered=3)])
    assert (status.state, status.since) == ("held", None)
    assert "never decided over all 4 nodes" in status.reason


def test_a_smaller_run_closes_a_rack_and_opens_none() -> None:
    every = [standing(node) for node in NAMES]
    assert rack(every, [of_rack(is_open=False), of_rack(covered=1, hour=10)]).state == "held"
    closed = rack(every, [of_rack(), of_rack(is_open=False, covered=1, hour=10)])
    assert (closed.state, closed.since, closed.run) == ("held", "2026-11-21T10:00:00+00:00", "run-9")
    assert rack(every, [of_rack(is_open=False, covered=1, hour=8), of_rack()]).state == "released"


def test_a_unit_needs_all_of_its_nodes() -> None:
    assert unit([standing(node) for node in NAMES]).state == "released"
    partly = unit([standing(node) for node in NAMES[:3]])
    assert (partly.state, partly.since, partly.held_nodes) == ("held", None, ["n3"])


def test_held_nodes_are_named_up_to_a_number() -> None:
    names = [f"n{number:02d}" for number in range(30)]
    nodes = gate.node_status(dict.fromkeys(names, "d1"), [], "rack")
    [status] = gate.group_status({"unit": {"su": names}}, nodes, [], [NODE])
    assert (status.nodes, status.held_nodes) == (30, names[:20])
