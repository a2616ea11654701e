"""What jobs ask of a tier, with numbers small enough to check by hand."""

from __future__ import annotations

import pytest

from rackwright.catalog import workloads
from rackwright.design.storage.checkpoint import checkpoint_bytes, checkpoint_seconds
from rackwright.model.workload import Checkpoint, Workload
from tests.unit.design.storage.build import loading, saving, tier, training

STATE = 1400.0
"""GB of a checkpoint of 100 thousand million parameters at 2 + 12 bytes."""


@pytest.mark.parametrize("row", workloads.load().checkpoints, ids=lambda row: row.model)
def test_the_published_sizes_of_mlperf_storage_come_out(row):
    saved = Checkpoint(tier="scratch", parameters_billions=row.parameters_billions)
    job = Workload(name="llm", pool="train", kind="training", checkpoint=saved)
    assert checkpoint_bytes(job) / 1e9 == pytest.approx(row.gbytes, rel=0.005)


def test_declared_bytes_per_parameter_win():
    saved = Checkpoint(tier="scratch", parameters_billions=10, bytes_per_parameter=18)
    assert checkpoint_bytes(Workload(name="llm", pool="train", kind="training", checkpoint=saved)) == 180e9
    assert checkpoint_bytes(Workload(name="llm", pool="train", kind="training")) is None


def test_a_checkpoint_takes_its_bytes_over_the_least_rate(studied):
    studied_design = studied(lambda data: None, saving(100, nodes=8, write_seconds=10, kept=3), training("idle"))
    result = tier(studied_design).workloads[0].checkpoint
    assert (result.gbytes, result.seconds, result.limited_by) == (STATE, STATE / 200, "promise")
    assert result.seconds_together == 3 * STATE / 200
    assert result.write_gbytes_per_s == STATE / 10
    assert result.kept_gbytes == 3 * 3 * STATE
    assert result.restart_seconds == pytest.approx(STATE / 300)
    assert result.restart_read_gbytes_per_s == pytest.approx(STATE / 600, abs=1e-6)
    assert checkpoint_seconds(studied_design, studied_design.site.workloads[0]) == STATE / 200
    assert checkpoint_seconds(studied_design, studied_design.site.workloads[1]) is None


def test_a_small_job_is_limited_by_its_own_ports(studied):
    studied_design = studied(lambda data: data["storage"][0].update(write_gbytes_per_s=5000), saving(100, nodes=1))
    result = tier(studied_design).workloads[0].checkpoint
    assert result.limited_by == "node-uplinks"
    assert result.seconds == pytest.approx(
        checkpoint_seconds(studied_design, studied_design.site.workloads[0]), abs=1e-5
    )
    assert result.seconds > STATE / 100


def test_a_checkpoint_on_local_drives(studied):
    def change(data):
        data["workloads"][0]["checkpoint"]["tier"] = "nvme"
        data["storage"][1]["write_gbytes_per_s"] = 10_000

    result = tier(studied(change, saving(100, nodes=2)), "nvme").workloads[0].checkpoint
    assert (result.limited_by, result.seconds) == ("local-drives", pytest.approx(STATE / 48))


def test_loaders_read_at_the_rate_of_their_profile(studied):
    studied_design = studied(lambda data: None, loading(profile="unet3d", nodes=4, dataset_terabytes=7))
    result = tier(studied_design).workloads[0]
    assert (result.jobs, result.accelerators, result.dataset_gbytes) == (7, 32, 7000)
    assert result.read_gbytes_per_s == pytest.approx(32 * 3.18, rel=0.002)
    assert result.least_read_gbytes_per_s == pytest.approx(0.9 * result.read_gbytes_per_s, abs=1e-5)
    assert tier(studied_design).demand.read_gbytes_per_s == pytest.approx(7 * result.read_gbytes_per_s, abs=1e-4)
    assert tier(studied_design).demand.capacity_pbytes == 0.007


def test_classes_on_one_pool_do_not_add_up(studied):
    slow = loading("slow", gbytes_per_s_per_accelerator=0.5)
    fast = loading("fast", gbytes_per_s_per_accelerator=1.0)
    assert tier(studied(lambda data: None, slow, fast)).demand.read_gbytes_per_s == 31 * 8 * 1.0


def test_reading_back_comes_on_top_of_the_jobs_that_go_on(studied):
    job = saving(6000, nodes=10) | {"loader": {"tier": "scratch", "gbytes_per_s_per_accelerator": 0.5}}
    result = tier(studied(lambda data: None, job)).demand
    assert result.read_gbytes_per_s == 3 * 80 * 0.5
    assert result.restart_read_gbytes_per_s == 2 * 80 * 0.5 + 6000 * 14 / 600


def test_a_tier_that_nobody_uses_is_asked_for_nothing(studied):
    tier_study = tier(studied(lambda data: None, saving(1)), "nvme")
    assert tier_study.workloads == []
    assert tier_study.demand.read_gbytes_per_s == tier_study.demand.capacity_pbytes == 0


def test_a_site_without_tiers_has_no_study(studied):
    assert "storage" not in studied(lambda data: data.pop("storage")).studies


def test_the_level_of_the_guideline_is_named(studied):
    result = tier(studied()).guideline
    assert (result.design, result.scalable_units, result.level, result.node_level) == ("dgx-h100", 1, "best", "best")
    assert tier(studied(), "nvme").guideline is None
    weak = tier(studied(lambda data: data["storage"][0].update(read_gbytes_per_s=14, write_gbytes_per_s=7))).guideline
    assert (weak.level, weak.node_level) == (None, "better")


def test_more_servers_are_never_slower(studied):
    def with_servers(count):
        return studied(
            lambda data: data["storage"][0].update(write_gbytes_per_s=900, servers={"server": "store", "count": count}),
            saving(500),
        )

    seconds = [tier(with_servers(count)).workloads[0].checkpoint.seconds for count in (2, 4, 8, 16)]
    assert seconds == sorted(seconds, reverse=True)
