"""What uplinks carry, on fabrics small enough to count by hand."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from rackwright.design.storage.uplinks import grouped, islands, limit


def leaves(*rows: tuple[str, float, float]) -> pl.DataFrame:
    return pl.DataFrame(
        list(rows), schema={"leaf": pl.String, "nodes": pl.Float64, "servers": pl.Float64}, orient="row"
    )


def links(*rows: tuple[str, str, int], kind: str = "leaf_spine") -> pl.DataFrame:
    schema = {"near": pl.String, "far": pl.String, "kind": pl.String, "gbps": pl.Int64}
    return pl.DataFrame([(near, far, kind, gbps) for near, far, gbps in rows], schema=schema, orient="row")


def test_islands_are_what_links_join():
    near, far = np.array([0, 2, 4]), np.array([1, 3, 3])
    assert islands(near, far, 6).tolist() == [0, 0, 2, 2, 2, 5]
    assert islands(np.array([], dtype=np.int64), np.array([], dtype=np.int64), 2).tolist() == [0, 1]
    chain = np.arange(50)
    assert set(islands(chain, chain + 1, 51).tolist()) == {0}


def test_nodes_and_servers_on_leaves_of_their_own_send_everything_up():
    groups, pods = grouped(
        leaves(("a", 1600, 0), ("b", 1600, 0), ("c", 0, 2000)),
        links(("a", "s", 800), ("b", "s", 800), ("c", "s", 1000)),
    )
    assert pods.is_empty()
    nodes, servers = limit(groups, "nodes", "servers"), limit(groups, "servers", "nodes")
    assert (nodes.gbps, nodes.at) == (1600, "a")  # half of all traffic enters each node leaf: 800 / 0.5
    assert (servers.gbps, servers.at) == (1000, "c")


def test_traffic_that_stays_on_a_leaf_crosses_no_uplink():
    groups, _ = grouped(leaves(("a", 100, 100), ("b", 100, 100)), links(("a", "b", 50), kind="isl"))
    assert limit(groups, "nodes", "servers").gbps == pytest.approx(200)  # a quarter of it enters a from b
    entry, _ = grouped(leaves(("a", 100, 100)), links())
    assert limit(entry, "nodes", "servers") is None


def test_planes_add_up_and_one_without_servers_carries_nothing():
    both = links(("a", "s", 100), ("b", "s", 100), ("c", "t", 100), ("d", "t", 100), ("e", "u", 100))
    groups, _ = grouped(leaves(("a", 400, 0), ("b", 0, 400), ("c", 400, 0), ("d", 0, 400), ("e", 400, 0)), both)
    assert limit(groups, "nodes", "servers").gbps == 200


def test_a_leaf_without_uplinks_in_a_joined_fabric_is_cut_off():
    groups, _ = grouped(leaves(("a", 400, 400), ("b", 400, 0)), links(("a", "b", 0)))
    assert limit(groups, "nodes", "servers").gbps == 0


def test_a_third_tier_limits_what_pods_exchange():
    low = links(("a", "s", 400), ("b", "t", 400))
    high = links(("s", "x", 100), ("t", "x", 100), kind="spine_core")
    groups, pods = grouped(leaves(("a", 400, 0), ("b", 0, 400)), pl.concat([low, high]))
    assert limit(groups, "nodes", "servers").gbps == 400
    assert (limit(pods, "nodes", "servers").gbps, limit(pods, "nodes", "servers").at) == (100, "pod of a")


def test_nodes_and_servers_that_nothing_joins_exchange_nothing():
    groups, _ = grouped(leaves(("a", 400, 0), ("b", 0, 400)), links(("a", "s", 400), ("b", "t", 400)))
    assert limit(groups, "nodes", "servers").gbps == 0
    nothing, _ = grouped(leaves(("a", 0, 0)), links())
    assert limit(nothing, "nodes", "servers") is None
