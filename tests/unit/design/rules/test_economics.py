"""Rules of the domain economics: each passes on a good design and says what is wrong with a bad one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rackwright.design import availability, rules
from rackwright.model.verdict import Outcome


def verdict(design, rule):
    (result,) = [verdict for verdict in rules.run_rules(design) if verdict.check == f"design.{rule}"]
    return result


def training(**more):
    checkpoint = {"tier": "scratch", "parameters_billions": 70.0, **more}
    return lambda data: data.update(
        workloads=[{"name": "llm", "pool": "train", "kind": "training", "checkpoint": checkpoint}]
    )


@pytest.mark.parametrize("rule", ["job_progress", "prices_complete", "phases_complete"])
def test_nothing_is_said_of_what_is_not_declared(plain, rule):
    assert verdict(plain(), rule).outcome is Outcome.NOT_RUN


def test_a_job_that_moves_forward_passes(plain):
    rule_verdict = verdict(plain(training(interval_minutes=60.0)), "job_progress")
    assert (rule_verdict.outcome, rule_verdict.target) == (Outcome.PASS, "llm")
    assert "saves every 60.0 min (declared)" in rule_verdict.says


def test_a_job_that_only_writes_fails(plain):
    rule_verdict = verdict(plain(training(interval_minutes=0.5)), "job_progress")
    assert rule_verdict.outcome is Outcome.FAIL
    assert "0.0% of the time is left" in rule_verdict.says
    assert rule_verdict.next_step


def test_a_job_that_cannot_save_is_not_judged(plain, parts_catalog):
    design = plain(training())
    alone = availability.add(replace(design, cables=design.cables.clear(), ports=design.ports.clear()), parts_catalog)
    assert verdict(alone, "job_progress").outcome is Outcome.INCONCLUSIVE


def test_prices_of_some_parts_are_not_enough(plain):
    rule_verdict = verdict(plain(lambda data: data.update(economics={"prices": {"dgx-h100": 1.0}})), "prices_complete")
    assert rule_verdict.outcome is Outcome.INCONCLUSIVE
    assert "no price of rack-48u-1200" in rule_verdict.says


def test_prices_of_all_parts_pass(plain):
    prices = dict.fromkeys(plain().studies["bill"]["without_prices_of"], 1.0)
    design = plain(lambda data: data.update(economics={"prices": prices}))
    assert verdict(design, "prices_complete").outcome is Outcome.PASS


def test_phases_of_all_units_pass_and_of_some_do_not(plain):
    phase = {"name": "one", "pool": "train", "scalable_units": 1, "start": "2027-01-04"}
    plain_design = plain(lambda data: data.update(deployment={"phases": [phase]}))
    assert verdict(plain_design, "phases_complete").outcome is Outcome.PASS

    def change(data):
        data["pools"][0].update(scalable_unit=16)
        data["deployment"] = {"phases": [phase]}

    rule_verdict = verdict(plain(change), "phases_complete")
    assert rule_verdict.outcome is Outcome.INCONCLUSIVE
    assert "train unit 2 in no phase (15 nodes)" in rule_verdict.says
