from __future__ import annotations

import json
from dataclasses import replace

import pytest

from rackwright.design import availability
from rackwright.design.availability.poisson import quantile


def jobs(*workloads):
    def change(data):
        data["workloads"] = list(workloads)

    return change


def training(**more):
    checkpoint = {"tier": "scratch", "parameters_billions": 70.0, **more}
    return {"name": "llm", "pool": "train", "kind": "training", "checkpoint": checkpoint}


def test_the_site_is_interrupted_as_its_counts_say(example):
    site = example.studies["availability"]["site"]
    assert (site["accelerators"], site["links"], site["nodes"]) == (248, 248, 31)
    assert site["per_1000_node_days"] == pytest.approx(3.79, abs=0.005)
    assert sum(site["interruptions_per_day_by_group"].values()) == pytest.approx(site["interruptions_per_day"])
    low, high = site["mtbi_range_hours"]
    assert low < site["mtbi_hours"] < high


def test_spares_are_the_quantile_of_what_fails_until_delivery(example):
    study = example.studies["availability"]
    (accelerators,) = [entry for entry in study["spares"] if entry["part"] == "accelerator"]
    assert accelerators["in_service"] == 248
    assert accelerators["failures_per_year"] == pytest.approx(248 * 0.0908, abs=0.001)
    assert accelerators["spares"] == quantile(248 * 0.0908 * 14 / 365.25, 0.95)
    kinds = {entry["part"] for entry in study["spares"]}
    assert {"accelerator", "nic", "psu", "cpu", "chassis", "switch", "copper-cable"} <= kinds


def test_a_better_stocked_site_keeps_more(plain):
    few = plain().studies["availability"]["spares"]
    more = plain(lambda data: data.update(operations={"spare_delivery_days": 90.0, "spare_confidence": 0.999}))
    for first, second in zip(few, more.studies["availability"]["spares"], strict=True):
        assert first["sku"] == second["sku"]
        assert first["spares"] <= second["spares"]


def test_nodes_down_follow_the_repair_time(plain):
    (pool,) = plain().studies["availability"]["pools"]
    assert pool["nodes_down"] == pytest.approx(31 * pool["node_repairs_per_day"], rel=0.01)
    (slow,) = plain(lambda data: data.update(operations={"repair_hours": 240.0})).studies["availability"]["pools"]
    assert slow["nodes_down"] > 9 * pool["nodes_down"]
    assert slow["node_availability"] < pool["node_availability"] < 1
    assert slow["scalable_unit"]["spare_nodes"] >= pool["scalable_unit"]["spare_nodes"] >= 1
    assert pool["scalable_unit"]["nodes"] == 31


def test_a_job_has_its_intervals(plain):
    (job,) = plain(jobs(training(interval_minutes=30.0))).studies["availability"]["workloads"]
    saved = job["checkpoint"]
    assert saved["used"] == "declared"
    assert saved["declared"]["interval_minutes"] == 30
    assert saved["best"]["goodput"] > saved["declared"]["goodput"] > 0.9
    for name in ("declared", "young", "best"):
        shares = saved[name]
        lost = shares["lost_to_writing"] + shares["lost_to_rework"] + shares["lost_to_restart"]
        assert shares["goodput"] + lost == pytest.approx(1)


def test_without_a_declared_interval_the_best_one_is_used(plain):
    (job,) = plain(jobs(training())).studies["availability"]["workloads"]
    assert (job["checkpoint"]["used"], job["checkpoint"]["declared"]) == ("best", None)


def test_a_smaller_job_is_interrupted_less_often(plain):
    complete, half = training(), {**training(), "name": "half", "nodes": 16}
    result = {studie["workload"]: studie for studie in plain(jobs(complete, half)).studies["availability"]["workloads"]}
    assert result["half"]["mtbi_hours"] == pytest.approx(result["llm"]["mtbi_hours"] * 31 / 16)
    assert result["half"]["accelerators"] == 128


def test_a_job_that_saves_nothing_has_no_interval(plain):
    serve = {"name": "serve", "pool": "train", "kind": "inference", "nodes": 1}
    (job,) = plain(jobs(serve)).studies["availability"]["workloads"]
    assert job["checkpoint"] is None
    assert job["mtbi_hours"] > 1000


def test_a_tier_that_nothing_leads_to_leaves_the_interval_open(plain, parts_catalog):
    design = plain(jobs(training(interval_minutes=30.0)))
    alone = replace(design, cables=design.cables.clear(), ports=design.ports.clear())
    (job,) = availability.add(alone, parts_catalog).studies["availability"]["workloads"]
    assert job["checkpoint"]["stall_seconds"] is None
    assert job["checkpoint"]["used"] is None


def test_the_study_is_plain_data_and_always_the_same(example, parts_catalog):
    study = example.studies["availability"]
    assert json.loads(json.dumps(study)) == study
    assert availability.add(example, parts_catalog).studies["availability"] == study
