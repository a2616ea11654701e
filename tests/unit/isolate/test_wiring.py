from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from rackwright.base.errors import UsageError
from rackwright.isolate.paths import SwitchPaths
from rackwright.isolate.wiring import number_wiring
from tests import build
from tests.unit.isolate import fleet


def test_the_example_site_has_its_rails_and_cables():
    built = number_wiring(build.site_design())
    assert len(built.nodes) == 31
    assert built.leaf.shape == (31, 8)
    assert built.rails[0][0] == "mlx5_0"
    cables = build.site_design().cables.filter(pl.col("kind") == "leaf_spine", pl.col("fabric") == "compute")
    assert list(built.cables) == cables["cable"].to_list()


def test_every_rail_ends_where_the_cables_say():
    built, design = number_wiring(build.site_design()), build.site_design()
    rows = design.cables.filter(pl.col("fabric") == "compute", pl.col("a_device") == "train-007")
    text = dict(rows.select("a_port", "b_device").iter_rows())
    node = built.nodes.index("train-007")
    assert {port: built.switches[built.leaf[node, slot]] for slot, port in enumerate(built.rails[node])} == text


def test_some_nodes_alone():
    built = number_wiring(build.site_design(), only=["train-003", "train-009"])
    assert built.nodes == ("train-003", "train-009")
    assert built.leaf.shape == (2, 8)


@pytest.mark.parametrize(("fabric", "only"), [("storage", None), ("", ["train-001"])])
def test_what_cannot_be_tested_is_said(fabric, only):
    with pytest.raises(UsageError):
        number_wiring(build.site_design(), fabric, only)


def test_nodes_of_one_leaf_meet_nothing_else():
    built = fleet.wiring(16)
    assert SwitchPaths(built).between(int(built.leaf[0, 0]), int(built.leaf[1, 0])) == ()


def test_between_leaves_a_flow_spreads_over_all_uplinks_of_both():
    built = fleet.wiring(16, spines=4)
    bundles = SwitchPaths(built).between(int(built.leaf[0, 0]), int(built.leaf[9, 0]))
    assert [(bundle.kind, len(bundle.members)) for bundle in bundles] == [("cable", 8), ("cable", 8), ("switch", 4)]


def test_leaves_that_nothing_joins_have_no_way():
    built = fleet.wiring(16)
    cut = replace(built, ends=np.zeros((0, 2), np.int64), cables=())
    assert SwitchPaths(cut).between(int(built.leaf[0, 0]), int(built.leaf[9, 0])) is None


def test_static_routes_are_followed_cable_by_cable():
    built = fleet.wiring(16)
    a, b = (built.switches[built.leaf[node, 0]] for node in (0, 9))
    spine = built.switches[built.ends[0, 1]]
    back = next(
        c
        for c, ends in zip(built.cables, built.ends.tolist(), strict=True)
        if [built.switches[e] for e in ends] == [b, spine]
    )
    result = SwitchPaths(built, {a: {b: built.cables[0]}, spine: {b: back}}).between(
        int(built.leaf[0, 0]), int(built.leaf[9, 0])
    )
    names = [
        built.cables[entry.members[0]] if entry.kind == "cable" else built.switches[entry.members[0]]
        for entry in result
    ]
    assert names == [built.cables[0], spine, back]


def test_a_table_that_leads_nowhere_is_no_way():
    built = fleet.wiring(16)
    assert SwitchPaths(built, {}).between(int(built.leaf[0, 0]), int(built.leaf[9, 0])) is None
