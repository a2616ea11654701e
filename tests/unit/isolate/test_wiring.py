from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from rackwright.base.errors import UsageError
from rackwright.isolate.paths import Paths
from rackwright.isolate.wiring import wiring
from tests import build
from tests.unit.isolate import fleet


def test_the_example_site_has_its_rails_and_cables():
    made = wiring(build.site_design())
    assert len(made.nodes) == 31
    assert made.leaf.shape == (31, 8)
    assert made.rails[0][0] == "mlx5_0"
    cables = build.site_design().cables.filter(pl.col("kind") == "leaf_spine", pl.col("fabric") == "compute")
    assert list(made.cables) == cables["cable"].to_list()


def test_every_rail_ends_where_the_cables_say():
    made, design = wiring(build.site_design()), build.site_design()
    rows = design.cables.filter(pl.col("fabric") == "compute", pl.col("a_device") == "train-007")
    said = dict(rows.select("a_port", "b_device").iter_rows())
    node = made.nodes.index("train-007")
    assert {port: made.switches[made.leaf[node, slot]] for slot, port in enumerate(made.rails[node])} == said


def test_some_nodes_alone():
    made = wiring(build.site_design(), only=["train-003", "train-009"])
    assert made.nodes == ("train-003", "train-009")
    assert made.leaf.shape == (2, 8)


@pytest.mark.parametrize(("fabric", "only"), [("storage", None), ("", ["train-001"])])
def test_what_cannot_be_tested_is_said(fabric, only):
    with pytest.raises(UsageError):
        wiring(build.site_design(), fabric, only)


def test_nodes_of_one_leaf_meet_nothing_else():
    made = fleet.wiring(16)
    assert Paths(made).between(int(made.leaf[0, 0]), int(made.leaf[1, 0])) == ()


def test_between_leaves_a_flow_spreads_over_all_uplinks_of_both():
    made = fleet.wiring(16, spines=4)
    bundles = Paths(made).between(int(made.leaf[0, 0]), int(made.leaf[9, 0]))
    assert [(one.kind, len(one.members)) for one in bundles] == [("cable", 8), ("cable", 8), ("switch", 4)]


def test_leaves_that_nothing_joins_have_no_way():
    made = fleet.wiring(16)
    cut = replace(made, ends=np.zeros((0, 2), np.int64), cables=())
    assert Paths(cut).between(int(made.leaf[0, 0]), int(made.leaf[9, 0])) is None


def test_static_routes_are_followed_cable_by_cable():
    made = fleet.wiring(16)
    a, b = (made.switches[made.leaf[node, 0]] for node in (0, 9))
    spine = made.switches[made.ends[0, 1]]
    back = next(
        c
        for c, ends in zip(made.cables, made.ends.tolist(), strict=True)
        if [made.switches[e] for e in ends] == [b, spine]
    )
    found = Paths(made, {a: {b: made.cables[0]}, spine: {b: back}}).between(int(made.leaf[0, 0]), int(made.leaf[9, 0]))
    names = [made.cables[one.members[0]] if one.kind == "cable" else made.switches[one.members[0]] for one in found]
    assert names == [made.cables[0], spine, back]


def test_a_table_that_leads_nowhere_is_no_way():
    made = fleet.wiring(16)
    assert Paths(made, {}).between(int(made.leaf[0, 0]), int(made.leaf[9, 0])) is None
