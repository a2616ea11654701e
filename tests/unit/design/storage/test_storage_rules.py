"""Every rule of storage passes on a good design and fails on a bad one."""

from __future__ import annotations

import pytest

from rackwright.design.rules.storage import storage_path
from rackwright.model.verdict import Outcome
from tests.unit.design.storage.build import loading, saving, verdicts

PASS, DEGRADED, FAIL = Outcome.PASS, Outcome.DEGRADED, Outcome.FAIL


def nothing(data):
    pass


def promise(index=0, **fields):
    return lambda data: data["storage"][index].update(fields)


@pytest.mark.parametrize(("read", "outcome"), [(800, PASS), (750, DEGRADED), (700, FAIL)])
def test_loaders_against_the_promise(studied, read, outcome):
    studied_design = studied(promise(read_gbytes_per_s=read), loading(profile="unet3d"))  # 788 GB/s, 709 GB/s at least
    verdict = verdicts(studied_design, "storage_demand")["scratch read"]
    assert verdict.outcome is outcome
    assert "787.9 GB/s" in verdict.says
    assert "measured on" not in verdict.says


def test_a_profile_of_another_accelerator_is_said_to_be_one(studied, parts):
    def change(data):
        data["pools"][0]["server"] = "dgx-h200"

    verdict = verdicts(studied(change, loading(profile="unet3d")), "storage_demand")["scratch read"]
    assert "measured on h100-sxm" in verdict.says


@pytest.mark.parametrize(("seconds", "outcome"), [(30, PASS), (10, DEGRADED), (5, FAIL)])
def test_checkpoints_against_the_allowed_stall(studied, seconds, outcome):
    studied_design = studied(nothing, saving(100, nodes=10, write_seconds=seconds))  # 7 s alone, 21 s for all three
    verdict = verdicts(studied_design, "storage_demand")["scratch checkpoint llm"]
    assert verdict.outcome is outcome
    assert "7.0 s, 21.0 s when 3 jobs write at once" in verdict.says
    assert bool(verdict.next_step) == (outcome is not PASS)


def test_a_limit_is_needed_to_judge_a_stall(studied):
    assert "scratch checkpoint llm" not in verdicts(studied(nothing, saving(100)), "storage_demand")


@pytest.mark.parametrize(("minutes", "outcome"), [(10, PASS), (0.01, DEGRADED)])
def test_reading_back_within_the_restart_time(studied, minutes, outcome):
    studied_design = studied(lambda data: data.update(operations={"restart_minutes": float(minutes)}), saving(100))
    assert verdicts(studied_design, "storage_demand")["scratch restart"].outcome is outcome


@pytest.mark.parametrize(("reserved", "outcome"), [(100, PASS), (2000, FAIL)])
def test_room_for_checkpoints_and_datasets(studied, reserved, outcome):
    studied_design = studied(nothing, saving(100, kept=reserved))
    assert verdicts(studied_design, "storage_demand")["scratch room"].outcome is outcome


def test_a_fabric_that_carries_less_than_the_promise(studied):
    by_target = verdicts(studied(), "storage_path")
    assert (by_target["scratch"].outcome, by_target["scratch per node"].outcome) == (PASS, PASS)
    by_target = verdicts(studied(promise(read_gbytes_per_s=801)), "storage_path")["scratch"]
    assert by_target.outcome is FAIL
    assert "800.0 GB/s at server-ports (8 servers)" in by_target.says
    assert "add storage servers" in by_target.next_step


def test_a_tier_that_no_node_reaches(studied):
    verdict = verdicts(studied(promise(fabric="oob")), "storage_path")["scratch"]
    assert verdict.outcome is FAIL


def test_a_fabric_without_oversubscription_is_not_to_lower_it():
    for part in storage_path.NOT_BLOCKING:
        assert "lower the oversubscription" in storage_path._step(part, "storage", set())
        assert "lower the oversubscription" not in storage_path._step(part, "storage", {"storage"})


def test_less_than_the_guideline_for_each_node_is_degraded(studied):
    by_target = verdicts(studied(lambda data: data["fabrics"][1].update(oversubscription=4)), "storage_path")
    assert by_target["scratch per node"].outcome is DEGRADED
    assert "at least 40 GB/s for each" in by_target["scratch per node"].says


@pytest.mark.parametrize(
    "change",
    [
        promise(read_gbytes_per_s=401),
        promise(write_gbytes_per_s=201),
        promise(capacity_pbytes=2.1),
        promise(1, read_gbytes_per_s=1489),
        promise(1, capacity_pbytes=0.96),
    ],
)
def test_what_a_tier_is_made_of_must_deliver_it(studied, change):
    good = verdicts(studied(), "storage_servers")
    assert {target: entry.outcome for target, entry in good.items()} == {"scratch": PASS, "nvme": PASS}
    bad = verdicts(studied(change), "storage_servers")
    assert sorted(entry.outcome for entry in bad.values()) == [FAIL, PASS]


@pytest.mark.parametrize(("terabytes", "outcome"), [(10, PASS), (100, DEGRADED), (1000, FAIL)])
def test_the_size_of_a_local_cache(studied, terabytes, outcome):
    job = loading(tier="nvme", gbytes_per_s_per_accelerator=1.0, dataset_terabytes=terabytes)
    by_target = verdicts(studied(nothing, job), "local_cache")
    assert by_target["vision"].outcome is outcome
    assert "a prefetch from scratch" in by_target["vision"].says
    assert by_target["vision read"].outcome is PASS


def test_drives_that_read_too_slowly(studied):
    job = loading(tier="nvme", gbytes_per_s_per_accelerator=6.1, dataset_terabytes=1)
    assert verdicts(studied(nothing, job), "local_cache")["vision read"].outcome is FAIL


def test_direct_reads(studied):
    assert verdicts(studied(promise(gpudirect=True)), "gpudirect")["scratch"].outcome is PASS
    assert verdicts(studied(promise(1, gpudirect=True)), "gpudirect")["nvme"].outcome is PASS

    def over_inband(data):
        data["storage"][0].update(gpudirect=True, fabric="inband")

    verdict = verdicts(studied(over_inband), "gpudirect")["scratch"]
    assert verdict.outcome is FAIL
    assert "plain ethernet, without RDMA" in verdict.says
    assert "has role inband" in verdict.says

    def plain_nodes(data):
        data["pools"][0]["server"] = "bare-node"
        data["storage"][0].update(gpudirect=True)
        del data["storage"][1]

    verdict = verdicts(studied(plain_nodes), "gpudirect")["scratch"]
    assert "bare-node of pool train declares no gpudirect_storage" in verdict.says


def test_rules_with_nothing_to_look_at_are_not_run(studied):
    studied_design = studied(lambda data: data.pop("storage"))
    for rule in ("storage_demand", "storage_path", "storage_servers", "local_cache", "gpudirect"):
        assert {verdict.outcome for verdict in verdicts(studied_design, rule).values()} == {Outcome.NOT_RUN}
