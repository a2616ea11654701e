from __future__ import annotations

from rackwright.model.gate import Decision
from rackwright.model.verdict import Outcome
from rackwright.report import build
from rackwright.report.view import NodeStatus


def no_text(_check):
    return ""


def built(handover):
    return build.build_report(handover, no_text)


def test_every_covered_node_and_every_verdict_is_kept(handover):
    report = built(handover)
    reported = {(node.node, verdict.check) for node in report.nodes for verdict in node.verdicts}
    assert {(v.target, v.check) for v in handover.verdicts} <= reported
    assert [node.node for node in report.nodes] == list(handover.nodes)


def test_status_follows_the_gate_and_nothing_else(handover):
    status = {node.node: node.status for node in built(handover).nodes}
    assert status == {
        "train-001": NodeStatus.ACCEPTED,
        "train-002": NodeStatus.REFUSED,
        "train-003": NodeStatus.REFUSED,
        "slurm-01": NodeStatus.UNDECIDED,
    }


def test_a_check_the_gate_asked_for_in_vain_is_shown_as_not_run(handover):
    node = built(handover).nodes[2]
    missing = [verdict for verdict in node.verdicts if verdict.check == "clock.offset"]
    assert [(v.outcome, v.blocking) for v in missing] == [(Outcome.NOT_RUN, True)]


def test_counts_leave_control_servers_out(handover):
    result = built(handover).result
    assert (result.accepted, result.refused, result.undecided, result.covered, result.designed) == (1, 2, 0, 3, 4)
    assert result.headline == "1 of 3 nodes is handed over."
    assert any("did not cover 1 of them" in sentence for sentence in result.sentences)


def test_without_decisions_nothing_is_handed_over(make):
    report = built(make(decisions=()))
    assert report.result.headline == "None of the 3 nodes covered is handed over."
    assert (report.result.accepted, report.result.undecided) == (0, 3)
    assert not any(verdict.blocking for node in report.nodes for verdict in node.verdicts)


def test_a_run_that_covered_no_accelerator_node_hands_nothing_over(make):
    assert "None" in built(make(nodes=("slurm-01",), decisions=())).result.headline


def test_a_rehearsal_never_says_that_something_is_handed_over(make):
    rehearsed = {"injected": ["a"], "found": ["a"], "sentences": ["as injected"], "as_injected": True}
    everything = tuple(Decision(node=f"train-00{i}", accepted=True, blocking=[], reason="") for i in (1, 2, 3))
    for decisions in ((), everything, everything[:1]):
        headline = built(make(rehearsal=rehearsed, decisions=decisions)).result.headline
        assert "would be" in headline


def test_reason_is_the_gravest_finding_and_counts_the_rest(handover):
    reasons = {node.node: node.reason for node in built(handover).nodes}
    assert reasons["train-002"] == "mlx5_0 hangs in another port (1 more check refuses it)."
    assert reasons["train-003"].startswith("The probe timed out")
    assert reasons["train-001"] == ""


def test_verdicts_on_other_things_are_not_lost(make, verdict):
    stray = verdict("compute-leaf-01", "fabric.switch", Outcome.FAIL)
    report = built(make(verdicts=(stray,)))
    assert [rule.target for rule in report.elsewhere] == ["compute-leaf-01"]


def test_evidence_is_listed_once_with_all_its_readers(make, verdict):
    first, second = verdict("train-001", "gpu.count"), verdict("train-001", "gpu.ecc")
    shared = second.model_copy(update={"evidence": first.evidence})
    evidence = built(make(verdicts=(first, shared))).evidence
    assert [(item.sha256, item.checks) for item in evidence] == [(first.evidence[0], ["gpu.count", "gpu.ecc"])]


def test_faults_may_be_words_or_records(make):
    rehearsed = {"injected": [{"fault": "row-remap", "nodes": ["a", "b"]}], "found": ["words"], "sentences": []}
    rehearsal = built(make(rehearsal=rehearsed)).rehearsal
    assert rehearsal is not None
    assert (rehearsal.injected, rehearsal.found, rehearsal.as_injected) == (["row-remap: a, b"], ["words"], None)
