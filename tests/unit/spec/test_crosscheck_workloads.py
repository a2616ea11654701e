"""Storage tiers and workloads that contradict the site: every mistake at its field, with a next step."""

from __future__ import annotations

import pytest

from rackwright import catalog
from rackwright.base import yaml_text
from rackwright.model.site import Site
from rackwright.spec.crosscheck import workloads

TIERS = [
    {"name": "scratch", "tier": "parallel", "read_gbytes_per_s": 40, "write_gbytes_per_s": 20, "capacity_pbytes": 2.5},
    {"name": "nvme", "tier": "local", "read_gbytes_per_s": 40, "write_gbytes_per_s": 20, "capacity_pbytes": 0.5},
]
JOB = {
    "name": "llm",
    "pool": "train",
    "kind": "training",
    "nodes": 31,
    "checkpoint": {"tier": "scratch", "parameters_billions": 70},
    "loader": {"tier": "nvme", "profile": "unet3d", "filled_from": "scratch"},
}


@pytest.fixture
def problems(example_site):
    def check(change):
        data = yaml_text.load(example_site.read_text())
        data["storage"] = [dict(tier) for tier in TIERS]
        data["workloads"] = [{**JOB, "checkpoint": dict(JOB["checkpoint"]), "loader": dict(JOB["loader"])}]
        change(data)
        return list(workloads.check(Site.model_validate(data), catalog.load()))

    return check


def test_a_site_in_order(problems):
    assert problems(lambda data: None) == []


def drop(mapping, *keys):
    for key in keys:
        del mapping[key]


BROKEN = {
    "unknown_pool": ("workloads[0].pool", lambda d: d["workloads"][0].update(pool="trian"), "did you mean train?"),
    "too_many_nodes": ("workloads[0].nodes", lambda d: d["workloads"][0].update(nodes=32), "lower nodes"),
    "unknown_tier": (
        "workloads[0].checkpoint.tier",
        lambda d: d["workloads"][0]["checkpoint"].update(tier="scrach"),
        "did you mean scratch?",
    ),
    "unknown_tier ": ("workloads[0].loader.tier", lambda d: d["workloads"][0]["loader"].update(tier="x"), "name a"),
    "unknown_tier  ": (
        "workloads[0].loader.filled_from",
        lambda d: d["workloads"][0]["loader"].update(filled_from="nvme"),
        "name a shared storage tier",
    ),
    "unused_key": (
        "workloads[0].loader.filled_from",
        lambda d: d["workloads"][0]["loader"].update(tier="scratch", filled_from="scratch"),
        "remove filled_from",
    ),
    "unknown_profile": (
        "workloads[0].loader.profile",
        lambda d: d["workloads"][0]["loader"].update(profile="unet"),
        "did you mean unet3d?",
    ),
    "no_loader_rate": ("workloads[0].loader", lambda d: drop(d["workloads"][0]["loader"], "profile"), "name a profile"),
    "two_loader_rates": (
        "workloads[0].loader",
        lambda d: d["workloads"][0]["loader"].update(gbytes_per_s_per_accelerator=1.0),
        "keep one",
    ),
    "duplicate_name": ("workloads[1].name", lambda d: d["workloads"].append(dict(JOB)), "rename one"),
    "unknown_fabric": ("storage[0].fabric", lambda d: d["storage"][0].update(fabric="storag"), "did you mean storage?"),
    "local_tier": ("storage[1].fabric", lambda d: d["storage"][1].update(fabric="storage"), "take fabric out"),
    "local_tier ": (
        "storage[1].servers",
        lambda d: d["storage"][1].update(servers={"server": "storage-nvme-2u", "count": 2}),
        "take servers out",
    ),
    "unknown_server": (
        "storage[0].servers.server",
        lambda d: d["storage"][0].update(servers={"server": "storage-nvme-3u", "count": 2}),
        "did you mean storage-nvme-",
    ),
    "no_storage_promise": (
        "storage[0].servers.server",
        lambda d: d["storage"][0].update(servers={"server": "dgx-h100", "count": 2}),
        "choose a storage server",
    ),
}


@pytest.mark.parametrize("code", BROKEN)
def test_each_mistake_is_one_problem_at_its_field(problems, code):
    path, change, step = BROKEN[code]
    (entry,) = problems(change)
    assert (entry.path, entry.code) == (path, f"spec.{code.strip()}")
    assert step in entry.next_step
    assert entry.expected
    assert entry.found


@pytest.mark.parametrize("name", ["train", "ufm", "site"])
def test_servers_of_a_tier_need_names_of_their_own(problems, name):
    def change(data):
        data["storage"].append({**TIERS[0], "name": name})
        assert problems(lambda data: data["storage"].append({**TIERS[0], "name": name})) == []
        data["storage"][2]["servers"] = {"server": "storage-nvme-2u", "count": 2}

    (entry,) = problems(change)
    assert (entry.path, entry.code) == ("storage[2].name", "spec.reserved_name")


def test_a_local_tier_needs_local_drives(problems):
    def change(data):
        data["pools"][0]["server"] = "head-node-1u"

    problems = problems(change)
    assert [problem.path for problem in problems] == ["storage[1].tier", "workloads[0].loader.tier"]
    assert {problem.code for problem in problems} == {"spec.no_local_drives"}


def test_what_another_check_says_is_not_said_again(problems):
    assert problems(lambda data: data["pools"][0].update(server="no-such-server")) == []
