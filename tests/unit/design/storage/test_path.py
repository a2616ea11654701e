"""The way to a tier: ports, uplinks, servers, and what a job gets out of it."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

from rackwright.design.storage import path as ways
from tests.unit.design.storage.build import tier


def stages(path):
    return {part.part: part.read_gbytes_per_s for part in path.parts}


def test_without_servers_the_free_ports_of_the_leaves_are_taken(example):
    declared = example.site.storage[0]
    path = ways.find_path(example, declared)
    mine = (pl.col("fabric") == "storage") & pl.col("cable").is_null()
    free = example.ports.filter(mine & pl.col("device").str.contains("leaf"))
    assert path.assumed
    assert stages(path)["server-ports"] == free["gbps"].sum() / 8
    assert (path.pools["train"].nodes, path.pools["train"].node.read_gbytes_per_s) == (31, 100)
    assert ways.path_rate(declared, path, "read") == (40, "promise")
    assert ways.path_rate(declared, path, "write") == (20, "promise")


def test_reserved_ports_are_what_a_tier_without_servers_gets(studied):
    def change(data):
        data["fabrics"][1]["reserved"] = {"storage": 4, "exits": 2}
        del data["storage"][0]["servers"]

    assert stages(tier(studied(change)).path)["server-ports"] == 4 * 400 / 8


def test_servers_ports_and_uplinks_are_counted(studied):
    path = tier(studied()).path
    assert not path.assumed
    assert {"servers": 400, "server-ports": 800, "node-ports": 3100}.items() <= stages(path).items()
    assert [part.part for part in path.parts] == [
        "servers",
        "server-ports",
        "server-uplinks",
        "node-uplinks",
        "node-ports",
    ]


def test_uplinks_are_those_of_the_tables(studied):
    studied_design = studied()
    leaf = next(link.remote_device for link in studied_design.links("train-001") if link.fabric == "storage")
    up = studied_design.cables.filter((pl.col("kind") == "leaf_spine") & (pl.col("a_device") == leaf))["gbps"].sum()
    nodes = studied_design.cables.filter((pl.col("kind") == "node_leaf") & (pl.col("b_device") == leaf))
    nodes = nodes.filter(pl.col("a_device").str.starts_with("train"))["gbps"].sum()
    assert stages(tier(studied_design).path)["node-uplinks"] == pytest.approx(up / (nodes / (31 * 800)) / 8)


@pytest.mark.parametrize(
    ("count", "promise", "limits"), [(8, 300, "promise"), (8, 5000, "servers"), (1, 49, "promise"), (1, 51, "servers")]
)
def test_the_stage_that_limits_is_named(studied, count, promise, limits):
    def change(data):
        data["storage"][0].update(read_gbytes_per_s=promise, servers={"server": "store", "count": count})

    assert tier(studied(change)).bottleneck_read == limits


def test_a_thin_fabric_limits(studied):
    def change(data):
        data["fabrics"][1]["oversubscription"] = 12
        data["storage"][0].update(read_gbytes_per_s=5000, servers={"server": "store", "count": 8})

    study = tier(studied(change))
    assert stages(study.path)["node-uplinks"] < stages(study.path)["node-ports"]


def test_a_job_gets_the_share_of_its_own_nodes(studied):
    studied_design = studied(lambda data: data["storage"][0].update(read_gbytes_per_s=5000))
    declared = studied_design.site.storage[0]
    path = ways.find_path(studied_design, declared)
    assert ways.job_rate(declared, path, "train", 1, "read") == (
        pytest.approx(stages(path)["node-uplinks"] / 31),
        "node-uplinks",
    )
    assert ways.job_rate(declared, path, "train", 31, "read") == (400, "servers")
    assert ways.job_rate(declared, path, "nowhere", 1, "read")[0] == 0


def test_local_drives_belong_to_their_nodes(studied):
    studied_design = studied()
    declared = studied_design.site.storage[1]
    path = ways.find_path(studied_design, declared)
    assert stages(path) == {"local-drives": 31 * 48}
    assert ways.job_rate(declared, path, "train", 1, "read") == (pytest.approx(1000 / 31), "promise")


def test_a_tier_may_name_its_fabric_and_else_takes_that_of_its_role(studied):
    assert tier(studied(lambda data: data["storage"][0].update(fabric="inband"))).path.fabric == "inband"


def test_without_a_storage_fabric_the_in_band_fabric_is_taken(studied):
    studied_design = studied(lambda data: data["fabrics"].pop(1))
    assert tier(studied_design).path.fabric == "inband"
    assert tier(studied_design).path.pools["train"].node.read_gbytes_per_s == 25


def test_a_tier_without_a_free_port_is_told_once(example):
    """No server, no question what the uplinks carry."""
    full = replace(example, ports=example.ports.with_columns(pl.col("cable").fill_null("taken")))
    result = stages(ways.find_path(full, example.site.storage[0]))
    assert result["server-ports"] == 0
    assert set(result) == {"server-ports", "node-ports"}


def test_free_ports_of_leaves_without_nodes_count(expanded):
    def change(data):
        data["pools"][0].update(count=8, scalable_unit=64)
        data["storage"][0].pop("servers", None)
        del data["deployment"], data["control"]["ufm"]

    expanded_design = expanded(change)
    leaves = expanded_design.devices.filter((pl.col("fabric") == "storage") & (pl.col("role") == "leaf"))[
        "device"
    ].to_list()
    used = expanded_design.cables.filter((pl.col("fabric") == "storage") & (pl.col("kind") == "node_leaf"))[
        "b_device"
    ].n_unique()
    free = expanded_design.ports.filter(
        pl.col("device").is_in(leaves) & pl.col("cable").is_null() & pl.col("reserved").is_null()
    )
    assert used < len(leaves)
    assert (
        stages(ways.find_path(expanded_design, expanded_design.site.storage[0]))["server-ports"]
        == free["gbps"].sum() / 8
    )
