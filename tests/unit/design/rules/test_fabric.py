"""Rules of ports and links on the topologies that the example does not have."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

from rackwright import design
from rackwright.design.rules.fabric import port_budget, uplink_balance
from rackwright.model.verdict import Outcome
from tests.unit.design.topology.sites import described

ROCE = {"transport": "roce", "switch": "sn5600"}


@pytest.fixture
def build_design(data, parts_catalog):
    def make(server, count, unit, per_rack=4, **fabric):
        return design.expand(described(data, server, count, unit, per_rack, fabric), parts_catalog)

    return make


def judged(rule, built_design):
    return dict(rule.judge(built_design))["compute"]


TOPOLOGIES = [
    ("dgx-h100", 12, 12, {"topology": "collapsed-core", **ROCE}),
    ("dgx-h100", 64, 32, {"topology": "full-mesh", **ROCE}),
    ("dgx-b300", 64, 64, {**ROCE, "planes": 2}),
    ("dgx-h100", 256, 32, {"topology": "dragonfly"}),
    ("dgx-h100", 256, 32, {"topology": "dragonfly-plus"}),
    ("dgx-h100", 512, 32, {}),
]


@pytest.mark.parametrize(("server", "count", "unit", "fabric"), TOPOLOGIES)
def test_what_is_designed_passes(build_design, server, count, unit, fabric):
    built_design = build_design(server, count, unit, **fabric)
    assert judged(port_budget, built_design).outcome is Outcome.PASS
    assert judged(uplink_balance, built_design).outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("server", "count", "unit", "fabric", "kind", "observed"),
    [
        ("dgx-h100", 64, 32, {"topology": "full-mesh", **ROCE}, "isl", "7 or 8 links to each"),
        ("dgx-h100", 256, 32, {"topology": "dragonfly"}, "global", "169 or 170 links between"),
        ("dgx-b300", 64, 64, {**ROCE, "planes": 2}, "leaf_spine", "15 or 16 links per leaf"),
        ("dgx-h100", 512, 32, {}, "spine_core", "15 or 16 links per spine"),
    ],
)
def test_a_missing_link_is_seen(build_design, server, count, unit, fabric, kind, observed):
    built_design = build_design(server, count, unit, **fabric)
    first = built_design.cables.filter((pl.col("fabric") == "compute") & (pl.col("kind") == kind))["cable"][0]
    finding = judged(uplink_balance, replace(built_design, cables=built_design.cables.filter(pl.col("cable") != first)))
    assert finding.outcome in (Outcome.FAIL, Outcome.DEGRADED)
    assert observed in finding.observed
    assert finding.next_step


def test_one_link_more_or_less_to_a_core_is_degraded(build_design):
    finding = judged(uplink_balance, build_design("gb200-nvl72", 144, 144, 18, leaf_group="rack", tiers=3))
    assert finding.outcome is Outcome.DEGRADED
    assert "2 or 3 links per spine and core" in finding.observed
    assert "updn" in finding.next_step
    assert "current-routing.txt" in finding.source


def test_a_pod_that_is_not_full_is_degraded(build_design):
    finding = judged(uplink_balance, build_design("dgx-h100", 32 * 18, 32))
    assert finding.outcome is Outcome.DEGRADED
    assert "the last pod is not full" in finding.observed


def test_fewer_uplinks_than_the_oversubscription_wants(build_design):
    finding = judged(uplink_balance, build_design("dgx-h100", 64, 32, leaf_down=32, leaf_up=16))
    assert finding.outcome is Outcome.FAIL
    assert "2.00:1" in finding.observed
    assert "leaf_up" in finding.next_step


def test_links_of_a_mesh_that_are_too_few(build_design):
    finding = judged(
        uplink_balance, build_design("dgx-h100", 8, 8, topology="full-mesh", **ROCE, leaf_down=32, leaf_up=2)
    )
    assert finding.outcome is Outcome.FAIL
    assert "8.00:1 between two leaves" in finding.observed


def test_a_plane_without_spines_is_seen(build_design):
    built_design = build_design("dgx-b300", 64, 64, **ROCE, planes=2)
    broken = replace(
        built_design, cables=built_design.cables.filter((pl.col("kind") != "leaf_spine") | (pl.col("plane") != 1))
    )
    assert judged(uplink_balance, broken).outcome is Outcome.FAIL


def test_ports_used_twice_unknown_and_open(build_design):
    built_design = build_design("dgx-h100", 32, 32)
    first, second = built_design.cables.filter(pl.col("fabric") == "compute")["cable"][:2]
    twice = built_design.cables.with_columns(
        pl.when(pl.col("cable") == first).then(pl.lit("2")).otherwise("b_port").alias("b_port"),
    )
    finding = judged(port_budget, replace(built_design, cables=twice))
    assert finding.outcome is Outcome.FAIL
    assert "carries 2 cables" in finding.observed
    unknown = built_design.cables.with_columns(
        pl.when(pl.col("cable") == second).then(pl.lit("999")).otherwise("b_port").alias("b_port")
    )
    assert "has no port 999" in judged(port_budget, replace(built_design, cables=unknown)).observed
    idle = pl.when((pl.col("device") == "train-001") & (pl.col("port") == "mlx5_0")).then(None).otherwise("cable")
    opened = built_design.ports.with_columns(idle.alias("cable"))
    assert "train-001 mlx5_0 has no cable" in judged(port_budget, replace(built_design, ports=opened)).observed


def test_reserved_ports_are_counted(build_design):
    finding = judged(port_budget, build_design("dgx-h100", 31, 31, reserved={"exits": 2}))
    assert "2 of them reserved" in finding.observed
