from __future__ import annotations

import random
from dataclasses import replace

import pytest

from rackwright import judge
from rackwright.model.check import Check, Expectation, FleetCheck
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.evidence.bmc import BmcEvidence
from rackwright.model.evidence.fabric import NodeFabric
from rackwright.model.verdict import Finding, Outcome
from tests import build


def run(evidence, checks=None, nodes=None):
    return judge.judge_evidence(
        build.site_design(), evidence, checks or judge.load_checks(), build.limit_table(), nodes
    )


FLEET = [f"train-{number:03d}" for number in range(1, 9)]
"""As many nodes as it takes to compare them."""


def test_a_healthy_node_passes_every_check_that_has_its_reading() -> None:
    evidence = {name: build.node_evidence(name) for name in FLEET}
    for number, node_verdict in enumerate(evidence.values()):
        node_verdict.records[BmcEvidence] = build.healthy_record(BmcEvidence, {"serial": f"16602240{number:05d}"})
        serials = {index: {"serial": f"{number}{index}", "uuid": f"GPU-{number}{index}"} for index in range(8)}
        node_verdict.records[Accelerators] = build.healthy_record(Accelerators, {"devices": serials})
    verdicts = [
        node_verdict for node_verdict in run(evidence, nodes=["train-001"]) if node_verdict.target == "train-001"
    ]
    checks = judge.load_checks()
    with_reading = [node_verdict for node_verdict in verdicts if checks[node_verdict.check].reads in build.SEEN]
    assert [node_verdict.says for node_verdict in with_reading if node_verdict.outcome != Outcome.PASS] == []
    assert {node_verdict.outcome for node_verdict in verdicts if node_verdict not in with_reading} <= {Outcome.NOT_RUN}
    assert len(with_reading) >= 33
    assert all(verdict.evidence == ["a" * 64] for verdict in with_reading)


def test_order_is_that_of_the_design_and_of_check_ids() -> None:
    names = ["train-003", "slurm-01", "train-001"]
    evidence = {name: build.node_evidence(name) for name in names}
    checks = judge.load_checks()
    shuffled = dict(random.Random(7).sample(list(checks.items()), len(checks)))
    assert run(evidence) == run(dict(reversed(evidence.items())), shuffled)
    targets = list(dict.fromkeys(verdict.target for verdict in run(evidence)))
    assert targets[:3] == ["train-001", "train-003", "slurm-01"]
    assert targets[3:5] == ["train-r01-A1-pdu", "train-r01-B1-pdu"]


def test_a_collector_error_is_inconclusive_and_named() -> None:
    evidence = build.node_evidence(errors={"nvml": "probe timed out", "clock": "chronyc missing"})
    evidence = replace(
        evidence,
        records={kind: node_verdict for kind, node_verdict in evidence.records.items() if kind is not Accelerators},
    )
    verdict = next(node_verdict for node_verdict in run({"train-001": evidence}) if node_verdict.check == "gpu.count")
    assert verdict.outcome == Outcome.INCONCLUSIVE
    assert verdict.says == "train-001: no Accelerators reading: probe timed out"
    assert "chronyc" not in verdict.says


def test_the_error_of_the_fabric_collector_belongs_to_the_fabric_record() -> None:
    evidence = build.node_evidence(errors={"fabric": "no subnet manager", "clock": "chronyc missing"})
    evidence = replace(
        evidence,
        records={kind: node_verdict for kind, node_verdict in evidence.records.items() if kind is not NodeFabric},
    )
    verdict = next(
        node_verdict for node_verdict in run({"train-001": evidence}) if node_verdict.check == "fabric.cabling"
    )
    assert "no subnet manager" in verdict.says
    assert "chronyc" not in verdict.says


def test_an_error_belongs_to_the_record_that_the_evidence_says() -> None:
    evidence = build.node_evidence(
        errors={"nvml": "probe timed out"}, owes={"nvml": "Accelerators"}, records={}, raw={}
    )
    by_check = {node_verdict.check: node_verdict for node_verdict in run({"train-001": evidence})}
    assert by_check["gpu.count"].says == "train-001: no Accelerators reading: probe timed out"
    assert by_check["clock.offset"].outcome == Outcome.NOT_RUN


def test_no_reading_and_no_error_is_not_run() -> None:
    evidence = build.node_evidence(records={}, raw={})
    assert {verdict.outcome for verdict in run({"train-001": evidence})} == {Outcome.NOT_RUN}


def test_a_node_without_evidence_is_not_run_when_it_is_asked_for() -> None:
    verdicts = run({"train-001": build.node_evidence()}, nodes=["train-001", "train-002"])
    assert {node_verdict.outcome for node_verdict in verdicts if node_verdict.target == "train-002"} == {
        Outcome.NOT_RUN
    }


def test_a_node_that_the_design_lacks_is_refused() -> None:
    with pytest.raises(KeyError, match="train-999"):
        run({"train-999": build.node_evidence()})


def crash(expectation: Expectation, evidence: BmcEvidence) -> Finding:
    raise ZeroDivisionError(f"{expectation.node.name} {evidence.model}")


def test_a_crash_is_inconclusive_and_named() -> None:
    [verdict] = run(
        {"train-001": build.node_evidence()}, {"bmc.crash": Check(title="t", reads=BmcEvidence, judge=crash)}
    )
    assert verdict.outcome == Outcome.INCONCLUSIVE
    assert "bmc.crash crashed, ZeroDivisionError" in verdict.says


def test_a_crash_of_applies_does_not_leave_the_check_out() -> None:
    check = Check(
        title="t", reads=BmcEvidence, judge=crash, applies=lambda node_verdict: node_verdict.links[-1].nothing
    )
    [verdict] = run({"train-001": build.node_evidence()}, {"bmc.crash": check})
    assert verdict.outcome == Outcome.INCONCLUSIVE


def test_control_servers_are_judged_on_what_they_have() -> None:
    checks = {verdict.check for verdict in run({"slurm-01": build.node_evidence("slurm-01")})}
    assert "clock.offset" in checks
    assert not any(check.startswith(("gpu.", "nvlink.", "pcie.", "software.")) for check in checks)


def test_the_same_evidence_judged_on_any_day_gives_the_same_verdict() -> None:
    old = replace(build.node_evidence(), taken="2028-07-01T00:00:00+00:00")
    verdict = next(
        node_verdict for node_verdict in run({"train-001": old}) if node_verdict.check == "software.compatibility"
    )
    assert verdict.outcome == Outcome.DEGRADED


def test_planned_links_are_those_of_the_design() -> None:
    plan = build.site_design()
    assert build.expected("train-007").links == tuple(plan.links("train-007"))


def alike(peers) -> dict[str, Finding]:
    names = [expectation.node.name for expectation, _ in peers]
    return {
        name: Finding(outcome=Outcome.PASS, observed=" ".join(names), expected="", source="", says=f"{name}: alike")
        for name in names
    }


def fleet(judge=alike, **change) -> dict[str, FleetCheck]:
    return {"peers.alike": FleetCheck(title="t", reads=BmcEvidence, judge=judge, **change)}


def pair() -> dict:
    return {name: build.node_evidence(name) for name in ("train-002", "train-001")}


def test_a_fleet_check_sees_all_nodes_at_once_in_design_order() -> None:
    verdicts = run(pair(), fleet())
    assert [(node_verdict.target, node_verdict.observed) for node_verdict in verdicts] == [
        ("train-001", "train-001 train-002"),
        ("train-002", "train-001 train-002"),
    ]


def test_a_node_that_is_not_asked_for_is_still_a_peer() -> None:
    [verdict] = run(pair(), fleet(), nodes=["train-002"])
    assert (verdict.target, verdict.observed) == ("train-002", "train-001 train-002")


def test_a_node_without_the_record_is_no_peer_and_is_not_run() -> None:
    evidence = pair()
    evidence["train-001"] = build.node_evidence("train-001", records={}, raw={})
    first, second = run(evidence, fleet())
    assert first.outcome == Outcome.NOT_RUN
    assert second.observed == "train-002"


def test_a_collector_error_is_inconclusive_in_a_fleet_too() -> None:
    evidence = pair()
    evidence["train-001"] = build.node_evidence("train-001", records={}, raw={}, errors={"bmc": "login refused"})
    assert run(evidence, fleet())[0].says == "train-001: no Bmc reading: login refused"


def test_a_node_that_a_fleet_check_does_not_apply_to_is_left_out_also_as_a_peer() -> None:
    [verdict] = run(pair(), fleet(applies=lambda node_verdict: node_verdict.node.name != "train-001"))
    assert verdict.observed == "train-002"


def test_a_node_that_a_fleet_check_is_silent_about_is_inconclusive() -> None:
    verdicts = run(pair(), fleet(lambda peers: dict(list(alike(peers).items())[:1])))
    assert [node_verdict.outcome for node_verdict in verdicts] == [Outcome.PASS, Outcome.INCONCLUSIVE]
    assert "has no result for this one" in verdicts[1].says


@pytest.mark.parametrize(
    "change", [{"judge": lambda peers: 1 / 0}, {"applies": lambda expectation: expectation.links[-1].nothing}]
)
def test_a_crash_of_a_fleet_check_is_inconclusive_on_every_node_by_name(change) -> None:
    verdicts = run(pair(), fleet(**change))
    assert {node_verdict.outcome for node_verdict in verdicts} == {Outcome.INCONCLUSIVE}
    assert [node_verdict.target for node_verdict in verdicts] == ["train-001", "train-002"]
    assert all(
        node_verdict.says.startswith(f"{node_verdict.target}: check peers.alike crashed, ") for node_verdict in verdicts
    )
