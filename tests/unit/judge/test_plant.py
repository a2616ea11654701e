"""Rack PDUs and CDUs are judged beside the nodes, and their verdicts have them as target."""

from __future__ import annotations

from dataclasses import replace

from rackwright import judge
from rackwright.model.check import NodeEvidence, PlantCheck
from rackwright.model.equipment import RackPdu, equipment
from rackwright.model.evidence.plant import CoolantReading, RackPower
from rackwright.model.verdict import Outcome
from tests import build

PDU = "train-r01-A1-pdu"


def evidence(name: str, *records, errors=None) -> NodeEvidence:
    stored = {type(verdict): verdict for verdict in records}
    return NodeEvidence(
        name, stored, dict.fromkeys(stored, "b" * 64), errors or {}, build.TAKEN, {"rack_pdu": "RackPower"}
    )


def run(stored, nodes=None, design=None):
    verdicts = judge.judge_evidence(
        design or build.site_design(), stored, judge.load_checks(), judge.load_limits(), nodes
    )
    return {
        (verdict.target, verdict.check): verdict
        for verdict in verdicts
        if verdict.check.startswith(("power.", "cooling."))
    }


def test_a_pdu_is_judged_and_named() -> None:
    verdicts = run({"train-001": build.node_evidence(), PDU: evidence(PDU, build.healthy_record(RackPower))})
    assert {verdict.outcome for (target, _), verdict in verdicts.items() if target == PDU} == {Outcome.PASS}
    assert verdicts[PDU, "power.voltage"].evidence == ["b" * 64]
    assert verdicts["train-r01-B1-pdu", "power.load"].outcome == Outcome.NOT_RUN
    assert not any(target.startswith("train-r02") for target, _ in verdicts)


def test_a_pdu_that_is_silent_is_inconclusive() -> None:
    verdicts = run({"train-001": build.node_evidence(), PDU: evidence(PDU, errors={"rack_pdu": "no answer"})})
    assert verdicts[PDU, "power.load"].outcome == Outcome.INCONCLUSIVE
    assert "no answer" in verdicts[PDU, "power.load"].says


def test_a_cdu_is_judged_where_the_racks_have_coolant() -> None:
    name = "hall-1-xdu1350-01"
    design = build.cooled_design()
    verdicts = run({name: evidence(name, build.healthy_record(CoolantReading))}, ["train-001"], design)
    assert {verdict.outcome for (target, _), verdict in verdicts.items() if target == name} == {Outcome.PASS}
    assert not any(check.startswith("power.") for _, check in verdicts)  # its rack is fed by shelves
    assert not any(check.startswith("cooling.") for _, check in run({}, ["slurm-01"], design))


def test_a_crash_is_said_of_the_unit() -> None:
    def crash(expectation, stored):
        raise ZeroDivisionError(expectation.unit.name)

    checks = {"power.crash": PlantCheck(title="t", reads=RackPower, judge=crash, unit=RackPdu)}
    evidence_of_unit = {PDU: evidence(PDU, build.healthy_record(RackPower))}
    [first, *_] = judge.plant_verdicts(
        build.site_design(), ["train-001"], evidence_of_unit, checks, judge.load_limits()
    )
    assert (first.target, first.outcome) == (PDU, Outcome.INCONCLUSIVE)
    assert "power.crash crashed, ZeroDivisionError" in first.says


def test_a_site_that_asks_nothing_of_its_plant_is_not_judged_by_it() -> None:
    plan = build.site_design()
    power = plan.site.facility.power.model_copy(update={"management": "none"})
    facility = plan.site.facility.model_copy(update={"power": power})
    assert equipment(replace(plan, site=plan.site.model_copy(update={"facility": facility}))) == []
