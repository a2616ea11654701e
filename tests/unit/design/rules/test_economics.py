"""Rules of the domain economics: each passes on a good design and says what is wrong with a bad one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rackwright.design import availability, rules
from rackwright.model.verdict import Outcome


def verdict(design, rule):
    (found,) = [one for one in rules.run_rules(design) if one.check == f"design.{rule}"]
    return found


def training(**more):
    checkpoint = {"tier": "scratch", "parameters_billions": 70.0, **more}
    return lambda data: data.update(
        workloads=[{"name": "llm", "pool": "train", "kind": "training", "checkpoint": checkpoint}]
    )


@pytest.mark.parametrize("rule", ["job_progress", "prices_complete", "phases_complete"])
def test_nothing_is_said_of_what_is_not_declared(plain, rule):
    assert verdict(plain(), rule).outcome is Outcome.NOT_RUN


def test_a_job_that_moves_forward_passes(plain):
    found = verdict(plain(training(interval_minutes=60.0)), "job_progress")
    assert (found.outcome, found.target) == (Outcome.PASS, "llm")
    assert "saves every 60.0 min (declared)" in found.says


def test_a_job_that_only_writes_fails(plain):
    found = verdict(plain(training(interval_minutes=0.5)), "job_progress")
    assert found.outcome is Outcome.FAIL
    assert "0.0% of the time is left" in found.says
    assert found.next_step


def test_a_job_that_cannot_save_is_not_judged(plain, known):
    design = plain(training())
    alone = availability.add(replace(design, cables=design.cables.clear(), ports=design.ports.clear()), known)
    assert verdict(alone, "job_progress").outcome is Outcome.INCONCLUSIVE


def test_prices_of_some_parts_are_not_enough(plain):
    found = verdict(plain(lambda data: data.update(economics={"prices": {"dgx-h100": 1.0}})), "prices_complete")
    assert found.outcome is Outcome.INCONCLUSIVE
    assert "no price of rack-48u-1200" in found.says


def test_prices_of_all_parts_pass(plain):
    prices = dict.fromkeys(plain().studies["bill"]["without_prices_of"], 1.0)
    design = plain(lambda data: data.update(economics={"prices": prices}))
    assert verdict(design, "prices_complete").outcome is Outcome.PASS


def test_phases_of_all_units_pass_and_of_some_do_not(plain):
    phase = {"name": "one", "pool": "train", "scalable_units": 1, "start": "2027-01-04"}
    whole = plain(lambda data: data.update(deployment={"phases": [phase]}))
    assert verdict(whole, "phases_complete").outcome is Outcome.PASS

    def change(data):
        data["pools"][0].update(scalable_unit=16)
        data["deployment"] = {"phases": [phase]}

    found = verdict(plain(change), "phases_complete")
    assert found.outcome is Outcome.INCONCLUSIVE
    assert "train unit 2 in no phase (15 nodes)" in found.says
