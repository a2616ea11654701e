"""Every rule of storage passes on a good design and fails on a bad one."""

from __future__ import annotations

import pytest

from rackwright.model.verdict import Outcome
from tests.unit.design.storage.build import loading, saving, verdicts

PASS, DEGRADED, FAIL = Outcome.PASS, Outcome.DEGRADED, Outcome.FAIL


def nothing(data):
    pass


def promise(index=0, **fields):
    return lambda data: data["storage"][index].update(fields)


@pytest.mark.parametrize(("read", "outcome"), [(800, PASS), (750, DEGRADED), (700, FAIL)])
def test_loaders_against_the_promise(studied, read, outcome):
    made = studied(promise(read_gbytes_per_s=read), loading(profile="unet3d"))  # 788 GB/s, 709 GB/s at least
    found = verdicts(made, "storage_demand")["scratch read"]
    assert found.outcome is outcome
    assert "787.9 GB/s" in found.says
    assert "measured on" not in found.says


def test_a_profile_of_another_accelerator_is_said_to_be_one(studied, parts):
    def change(data):
        data["pools"][0]["server"] = "dgx-h200"

    found = verdicts(studied(change, loading(profile="unet3d")), "storage_demand")["scratch read"]
    assert "measured on h100-sxm" in found.says


@pytest.mark.parametrize(("seconds", "outcome"), [(30, PASS), (10, DEGRADED), (5, FAIL)])
def test_checkpoints_against_the_allowed_stall(studied, seconds, outcome):
    made = studied(nothing, saving(100, nodes=10, write_seconds=seconds))  # 7 s alone, 21 s for all three
    found = verdicts(made, "storage_demand")["scratch checkpoint llm"]
    assert found.outcome is outcome
    assert "7.0 s, 21.0 s when 3 jobs write at once" in found.says
    assert bool(found.next_step) == (outcome is not PASS)


def test_a_limit_is_needed_to_judge_a_stall(studied):
    assert "scratch checkpoint llm" not in verdicts(studied(nothing, saving(100)), "storage_demand")


@pytest.mark.parametrize(("minutes", "outcome"), [(10, PASS), (0.01, DEGRADED)])
def test_reading_back_within_the_restart_time(studied, minutes, outcome):
    made = studied(lambda data: data.update(operations={"restart_minutes": float(minutes)}), saving(100))
    assert verdicts(made, "storage_demand")["scratch restart"].outcome is outcome


@pytest.mark.parametrize(("kept", "outcome"), [(100, PASS), (2000, FAIL)])
def test_room_for_checkpoints_and_datasets(studied, kept, outcome):
    made = studied(nothing, saving(100, kept=kept))
    assert verdicts(made, "storage_demand")["scratch room"].outcome is outcome


def test_a_fabric_that_carries_less_than_the_promise(studied):
    found = verdicts(studied(), "storage_path")
    assert (found["scratch"].outcome, found["scratch per node"].outcome) == (PASS, PASS)
    found = verdicts(studied(promise(read_gbytes_per_s=801)), "storage_path")["scratch"]
    assert found.outcome is FAIL
    assert "800.0 GB/s at server-ports (8 servers)" in found.says
    assert "add storage servers" in found.next_step


def test_a_tier_that_no_node_reaches(studied):
    found = verdicts(studied(promise(fabric="oob")), "storage_path")["scratch"]
    assert found.outcome is FAIL


def test_less_than_the_guideline_for_each_node_is_degraded(studied):
    found = verdicts(studied(lambda data: data["fabrics"][1].update(oversubscription=4)), "storage_path")
    assert found["scratch per node"].outcome is DEGRADED
    assert "at least 40 GB/s for each" in found["scratch per node"].says


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
    assert {target: one.outcome for target, one in good.items()} == {"scratch": PASS, "nvme": PASS}
    bad = verdicts(studied(change), "storage_servers")
    assert sorted(one.outcome for one in bad.values()) == [FAIL, PASS]


@pytest.mark.parametrize(("terabytes", "outcome"), [(10, PASS), (100, DEGRADED), (1000, FAIL)])
def test_the_size_of_a_local_cache(studied, terabytes, outcome):
    job = loading(tier="nvme", gbytes_per_s_per_accelerator=1.0, dataset_terabytes=terabytes)
    found = verdicts(studied(nothing, job), "local_cache")
    assert found["vision"].outcome is outcome
    assert "a prefetch from scratch" in found["vision"].says
    assert found["vision read"].outcome is PASS


def test_drives_that_read_too_slowly(studied):
    job = loading(tier="nvme", gbytes_per_s_per_accelerator=6.1, dataset_terabytes=1)
    assert verdicts(studied(nothing, job), "local_cache")["vision read"].outcome is FAIL


def test_direct_reads(studied):
    assert verdicts(studied(promise(gpudirect=True)), "gpudirect")["scratch"].outcome is PASS
    assert verdicts(studied(promise(1, gpudirect=True)), "gpudirect")["nvme"].outcome is PASS

    def over_inband(data):
        data["storage"][0].update(gpudirect=True, fabric="inband")

    found = verdicts(studied(over_inband), "gpudirect")["scratch"]
    assert found.outcome is FAIL
    assert "plain ethernet, without RDMA" in found.says
    assert "has role inband" in found.says

    def plain_nodes(data):
        data["pools"][0]["server"] = "bare-node"
        data["storage"][0].update(gpudirect=True)
        del data["storage"][1]

    found = verdicts(studied(plain_nodes), "gpudirect")["scratch"]
    assert "bare-node of pool train declares no gpudirect_storage" in found.says


def test_rules_with_nothing_to_look_at_are_not_run(studied):
    made = studied(lambda data: data.pop("storage"))
    for rule in ("storage_demand", "storage_path", "storage_servers", "local_cache", "gpudirect"):
        assert {one.outcome for one in verdicts(made, rule).values()} == {Outcome.NOT_RUN}
