"""What isolation blamed stays out: nodes and fabrics, until a later isolation says otherwise."""

from __future__ import annotations

import pytest

from rackwright import gate
from rackwright.gate.evidence_age import RULE
from rackwright.gate.isolation_gate import BLAMED, MISSING
from rackwright.model.gate import Gate
from rackwright.model.isolation import Blamed, Clearance, Isolated
from rackwright.model.times import parse_time
from rackwright.model.verdict import Outcome
from tests import build

NODES = ("train-001", "train-002", "train-003")
NOW = parse_time("2026-11-22T10:00:00+00:00")
EARLY, LATE = "2026-11-21T08:00:00+00:00", "2026-11-22T08:00:00+00:00"
NODE = Gate(name="node", allow_degraded=True, checks=["gpu.*"])
FABRIC = Gate(name="fabric", allow_degraded=True, checks=["gpu.*"], scope="fabric", share=0.5)


def blamed(kind: str, *names: str, node: str = "") -> Blamed:
    return Blamed(kind=kind, names=list(names), node=node, probability=0.999)


def result(taken_at: str = EARLY, faulty=(), cleared=(), **change) -> Isolated:
    fields = {"run": taken_at, "taken": taken_at, "fabric": "compute", "found": [], "faulty": list(faulty)}
    fields |= {"cleared": list(cleared), "unsettled": [], "uncovered": [], "complete": True}
    return Isolated(**{**fields, **change})


BAD = result(faulty=["train-002"], cleared=["train-001"], found=[blamed("rail", "train-002/mlx5_4", node="train-002")])
SWITCH = result(found=[blamed("switch", "leaf-03")], cleared=NODES)


def decided(*results, hours=None, notes=None):
    policy = None if hours is None else gate.IsolationPolicy(hours, NODES, NOW)
    verdicts = [build.verdict("gpu.count", node, Outcome.PASS) for node in NODES]
    case = gate.GateInput(
        verdicts, NODES, [], NOW, dict.fromkeys(NODES, NOW), {"fabric": {"compute": NODES, "storage": NODES}},
        holds=gate.isolation_holds(results, NODES, policy), faults=gate.blamed_fabrics(results), notes=notes or {},
    )  # fmt: skip
    decisions, groups = gate.decide_all([NODE, FABRIC], case)
    return {decision.node: decision for decision in decisions}, {group.group: group for group in groups}


def test_a_node_that_isolation_blamed_is_refused_with_its_sentence():
    nodes, fabrics = decided(BAD)
    assert [node for node, decision in nodes.items() if decision.accepted] == ["train-001", "train-003"]
    assert nodes["train-002"].blocking == [BLAMED]
    assert "blames rail train-002/mlx5_4 (100%)" in nodes["train-002"].reason
    assert fabrics["compute"].open


@pytest.mark.parametrize("part", [blamed("cable", "leaf-01:33"), blamed("switch", "spine-01", "spine-02")])
def test_a_cable_or_a_switch_closes_its_fabric_alone(part):
    nodes, fabrics = decided(result(found=[part], cleared=NODES))
    assert all(decision.accepted for decision in nodes.values())
    assert (fabrics["compute"].open, fabrics["storage"].open) == (False, True)
    assert part.names[0] in fabrics["compute"].reason


def test_both_ends_of_a_pair_are_named():
    nodes, _ = decided(result(faulty=["train-001"], found=[blamed("pair", "train-001+train-003 rail 2")]))
    assert "pair train-001+train-003 rail 2" in nodes["train-001"].reason


def test_a_later_isolation_lifts_what_it_clears_and_nothing_else():
    nodes, _ = decided(BAD, result(LATE, cleared=["train-002"]))
    assert nodes["train-002"].accepted
    nodes, _ = decided(BAD, result(LATE, cleared=["train-001"]))
    assert not nodes["train-002"].accepted
    assert decided(SWITCH, result(LATE))[1]["compute"].open
    for silent in ({"uncovered": ["leaf-03"]}, {"complete": False}, {"fabric": "storage"}):
        assert not decided(SWITCH, result(LATE, **silent))[1]["compute"].open, silent
    assert not decided(result(LATE, found=SWITCH.found), result(EARLY))[1]["compute"].open, "order is by time"


def test_a_missing_or_stale_isolation_refuses_only_where_the_site_asks_for_one():
    nodes, _ = decided()
    assert all(decision.accepted for decision in nodes.values())
    nodes, _ = decided(result(EARLY, cleared=["train-001"]), result(LATE, cleared=["train-002"]), hours=24)
    assert [node for node, decision in nodes.items() if decision.accepted] == ["train-002"]
    assert nodes["train-001"].blocking == [MISSING]
    assert "26 hours old, 24 are allowed" in nodes["train-001"].reason
    assert "no isolation settled it" in nodes["train-003"].reason


def test_a_blamed_node_is_told_once():
    nodes, _ = decided(BAD, hours=1)
    assert nodes["train-002"].blocking == [BLAMED]


def test_notes_stand_beside_the_reason_and_decide_nothing():
    _, fabrics = decided(notes={"compute": ["17 cables could be seen by no machine"]})
    assert fabrics["compute"].open
    assert fabrics["compute"].reason.endswith("17 cables could be seen by no machine")


def test_ids_of_rules_are_those_that_reports_print():
    assert (BLAMED, MISSING, RULE) == ("isolation.blamed", "isolation.missing", "evidence.age")


def test_reasons_of_a_fabric_stand_one_after_the_other():
    notes = {"compute": ["note 1", "note 2"], "train": ["of no fabric"]}
    open_reason = "100 % of 3 covered nodes passed"
    blames = "isolation of 2026-11-21T08:00 blames switch leaf-03 (100%)"
    _, fabrics = decided(notes=notes)
    assert fabrics["compute"].reason == f"{open_reason}; note 1; note 2"
    _, fabrics = decided(SWITCH, notes=notes)
    assert fabrics["compute"].reason == f"{blames}; note 1; note 2"
    assert fabrics["storage"].reason == open_reason
    _, fabrics = decided(SWITCH, result(faulty=NODES[:2], uncovered=["leaf-03"]))
    assert fabrics["compute"].reason == f"33 % of 3 covered nodes passed, 50 % required; {blames}"


def cleared_by(loss: float, frequency: float) -> Isolated:
    clearance = Clearance(loss=loss, frequency=frequency, nodes=["train-002"])
    return result(LATE, cleared=["train-002"], clearances=[clearance])


RARE = blamed("rail", "train-002/mlx5_4", node="train-002").model_copy(update={"loss": 0.2, "frequency": 0.5})


@pytest.mark.parametrize(("loss", "frequency"), [(0.07, 0.8), (0.3, 0.4)], ids=["too rare for it", "too small for it"])
def test_a_search_that_could_have_missed_what_was_blamed_lifts_nothing(loss, frequency):
    (hold,) = gate.isolation_holds([result(faulty=["train-002"], found=[RARE]), cleared_by(loss, frequency)], NODES)
    assert (hold.node, hold.rule) == ("train-002", BLAMED)
    assert f"would have shown only losses of {loss:.1%} in {frequency:.0%} of tests" in hold.says
    assert "a fault that shows in 50 % of tests" in hold.says


def test_a_search_that_would_have_shown_it_again_lifts_it():
    nodes, _ = decided(result(faulty=["train-002"], found=[RARE]), cleared_by(0.07, 0.47))
    assert nodes["train-002"].accepted


def test_a_result_that_states_nothing_lifts_only_blame_that_states_nothing():
    nodes, _ = decided(result(faulty=["train-002"], found=[RARE]), result(LATE, cleared=["train-002"]))
    assert not nodes["train-002"].accepted
    nodes, _ = decided(BAD, cleared_by(0.07, 0.8))
    assert nodes["train-002"].accepted
