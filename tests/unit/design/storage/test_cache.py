"""Local drives as a cache: what fits, and when the prefetch must start."""

from __future__ import annotations

import pytest

from tests.unit.design.storage.build import loading, tier

NODE = 8 * 3840.0
"""GB of the drives of one node."""


def cache(studied, terabytes, change=lambda data: None, rate=1.0, **fields):
    job = loading(tier="nvme", nodes=4, gbytes_per_s_per_accelerator=rate, dataset_terabytes=terabytes, **fields)
    return tier(studied(change, job), "nvme").caches[0]


def test_a_dataset_that_every_node_holds(studied):
    cache_study = cache(studied, 10)
    assert (cache_study.layout, cache_study.share_on_each_node, cache_study.node_gbytes) == ("each-node-all", 1, NODE)
    assert cache_study.fill_gbytes == 40_000
    assert cache_study.fill_seconds == pytest.approx(40_000 / 96)
    assert cache_study.fill_limited_by == "local-drives"
    assert cache_study.epoch_seconds == 10_000 / 32
    assert cache_study.fill_gbytes_per_s == 4 * 32
    assert cache_study.lead_seconds == pytest.approx(40_000 / 96 - 10_000 / 32)


def test_a_prefetch_that_keeps_ahead(studied):
    assert cache(studied, 10, rate=0.5).lead_seconds == 0


def test_a_dataset_that_only_all_nodes_hold(studied):
    cache_study = cache(studied, 100)
    assert cache_study.layout == "shared-out"
    assert cache_study.share_on_each_node == pytest.approx(NODE / 100_000)
    assert (cache_study.share_on_all_nodes, cache_study.fill_gbytes, cache_study.fill_gbytes_per_s) == (1, 100_000, 32)


def test_a_dataset_too_large_for_all_nodes(studied):
    cache_study = cache(studied, 200)
    assert (cache_study.layout, cache_study.fill_gbytes) == ("too-small", 4 * NODE)
    assert cache_study.share_on_all_nodes == pytest.approx(4 * NODE / 200_000)


def test_a_slow_source_limits_the_prefetch(studied):
    slow = cache(studied, 10, lambda data: data["storage"][0].update(read_gbytes_per_s=50))
    assert (slow.fill_seconds, slow.fill_limited_by) == (800, "promise")
    assert slow.lead_seconds == 800 - 10_000 / 32


def test_the_source_may_be_named(studied):
    def change(data):
        data["storage"].append(dict(data["storage"][0], name="archive", tier="object"))
        del data["storage"][2]["servers"]

    assert cache(studied, 10, change).source == "scratch"
    assert cache(studied, 10, change, filled_from="archive").source == "archive"


def test_without_a_shared_tier_nothing_fills_it(studied):
    cache_study = cache(studied, 10, lambda data: data["storage"].pop(0))
    assert (cache_study.source, cache_study.fill_seconds, cache_study.lead_seconds) == (None, None, None)
