"""Rack PDUs and CDUs are judged beside the nodes, and their verdicts have them as target."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from rackwright import judge
from rackwright.judge.judgement import Judgement
from rackwright.judge.site import with_plant
from rackwright.model.check import NodeEvidence, PlantCheck
from rackwright.model.equipment import CoolantUnit, RackPdu, equipment
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
    # its rack is fed by shelves
    assert {check for _, check in verdicts if check.startswith("power.")} == {
        "power.shelf_health", "power.shelf_input", "power.shelf_rectifiers",
    }  # fmt: skip
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


def counted(*, passes: bool):
    """A judgement of no node, with the plant of train-001: one PDU that was read, one that failed, one without evidence."""
    silent = "train-r01-B1-pdu"
    stored = {
        PDU: evidence(PDU, build.healthy_record(RackPower)),
        silent: evidence(silent, errors={"rack_pdu": "no answer"}),
    }
    checks = {
        name: check
        for name, check in judge.load_checks().items()
        if name in ("power.load", "power.health", "gpu.count")
    }
    empty = Judgement(Counter({Outcome.PASS: 5}), 3, [("n", "gpu.count", None, None)], {})
    return with_plant(empty, build.site_design(), ["train-001"], stored, checks, judge.load_limits(), passes=passes)


def test_the_plant_is_added_to_a_judgement() -> None:
    judgement = counted(passes=False)
    assert judgement.counts == Counter({Outcome.PASS: 7, Outcome.INCONCLUSIVE: 2, Outcome.NOT_RUN: 2})
    assert (judgement.nodes, judgement.units) == (3, 3)
    assert set(judgement.checks) == {"power.load", "power.health", "gpu.count"}
    rows = [(unit, check, finding and str(finding.outcome), raw) for unit, check, finding, raw in judgement.rows]
    assert rows == [
        ("n", "gpu.count", None, None),
        *(("train-r01-B1-pdu", check, "inconclusive", None) for check in ("power.health", "power.load")),
        *(("train-r01-C1-pdu", check, "not_run", None) for check in ("power.health", "power.load")),
    ]
    every = counted(passes=True)
    assert (every.counts, every.units, len(every.rows)) == (judgement.counts, 3, 7)
    assert every.rows[1][:2] == (PDU, "power.health")
    assert every.rows[1][3] == "b" * 64


def test_a_check_that_does_not_apply_to_a_unit_has_no_finding() -> None:
    def check(**change):
        return PlantCheck(title="t", reads=RackPower, judge=lambda *_: 1 / 0, **({"unit": RackPdu} | change))

    stored = {PDU: evidence(PDU, build.healthy_record(RackPower))}
    for change, targets in (
        ({}, ["train-r01-A1-pdu", "train-r01-B1-pdu", "train-r01-C1-pdu"]),
        ({"unit": CoolantUnit}, []),
        ({"applies": lambda _: False}, []),
        ({"applies": lambda expectation: expectation.unit.name == PDU}, [PDU]),
        ({"applies": lambda _: 1 / 0}, ["train-r01-A1-pdu", "train-r01-B1-pdu", "train-r01-C1-pdu"]),
    ):
        verdicts = judge.plant_verdicts(
            build.site_design(), ["train-001"], stored, {"power.a": check(**change)}, judge.load_limits()
        )
        assert [verdict.target for verdict in verdicts] == targets
