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
    seen = {type(one): one for one in records}
    return NodeEvidence(name, seen, dict.fromkeys(seen, "b" * 64), errors or {}, build.TAKEN, {"rack_pdu": "RackPower"})


def run(seen, nodes=None, design=None):
    found = judge.judge_evidence(design or build.site_design(), seen, judge.load_checks(), judge.load_limits(), nodes)
    return {(one.target, one.check): one for one in found if one.check.startswith(("power.", "cooling."))}


def test_a_pdu_is_judged_and_named() -> None:
    found = run({"train-001": build.node_evidence(), PDU: evidence(PDU, build.seen(RackPower))})
    assert {one.outcome for (target, _), one in found.items() if target == PDU} == {Outcome.PASS}
    assert found[PDU, "power.voltage"].evidence == ["b" * 64]
    assert found["train-r01-B1-pdu", "power.load"].outcome == Outcome.NOT_RUN
    assert not any(target.startswith("train-r02") for target, _ in found)


def test_a_pdu_that_is_silent_is_inconclusive() -> None:
    found = run({"train-001": build.node_evidence(), PDU: evidence(PDU, errors={"rack_pdu": "no answer"})})
    assert found[PDU, "power.load"].outcome == Outcome.INCONCLUSIVE
    assert "no answer" in found[PDU, "power.load"].says


def test_a_cdu_is_judged_where_the_racks_have_coolant() -> None:
    name = "hall-1-xdu1350-01"
    design = build.cooled_design()
    found = run({name: evidence(name, build.seen(CoolantReading))}, ["train-001"], design)
    assert {one.outcome for (target, _), one in found.items() if target == name} == {Outcome.PASS}
    assert not any(check.startswith("power.") for _, check in found)  # its rack is fed by shelves
    assert not any(check.startswith("cooling.") for _, check in run({}, ["slurm-01"], design))


def test_a_crash_is_said_of_the_unit() -> None:
    def crash(expectation, seen):
        raise ZeroDivisionError(expectation.unit.name)

    checks = {"power.crash": PlantCheck(title="t", reads=RackPower, judge=crash, unit=RackPdu)}
    seen = {PDU: evidence(PDU, build.seen(RackPower))}
    [first, *_] = judge.plant_verdicts(build.site_design(), ["train-001"], seen, checks, judge.load_limits())
    assert (first.target, first.outcome) == (PDU, Outcome.INCONCLUSIVE)
    assert "power.crash crashed, ZeroDivisionError" in first.says


def test_a_site_that_asks_nothing_of_its_plant_is_not_judged_by_it() -> None:
    plan = build.site_design()
    power = plan.site.facility.power.model_copy(update={"management": "none"})
    facility = plan.site.facility.model_copy(update={"power": power})
    assert equipment(replace(plan, site=plan.site.model_copy(update={"facility": facility}))) == []
