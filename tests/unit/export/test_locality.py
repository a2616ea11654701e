from __future__ import annotations

import polars as pl
import pytest

from rackwright.locality.groups import Locality, default_fabrics, locality
from rackwright.model.design import Design
from tests.unit.export.conftest import domains, expand, planes, three_tiers


def grouped(design: Design, pools: list[str] | None = None) -> Locality:
    return locality(design, pools or [pool.name for pool in design.site.pools], default_fabrics(design))


def groups(result: Locality, level: str) -> dict[str, list[str]]:
    frame = result.nodes.drop_nulls(level).group_by(level, maintain_order=True).agg("node")
    return dict(frame.iter_rows())


def test_rails_of_a_unit_are_one_group(example):
    result = grouped(example)
    assert result.levels == ("leaf", "spine")
    assert {name: len(nodes) for name, nodes in groups(result, "leaf").items()} == {"compute-leaf-01": 31}
    assert list(groups(result, "spine")) == ["compute-spine-01"]
    assert not result.has_domains
    assert result.nodes["hall"].unique().to_list() == ["hall-1"]


def test_three_tiers_nest():
    result = grouped(three_tiers())
    assert result.levels == ("leaf", "spine", "core")
    assert result.nodes.height == 128
    assert list(groups(result, "core")) == ["compute-core-01"]
    assert len(groups(result, "spine")) > 1
    assert len(groups(result, "leaf")) > len(groups(result, "spine"))
    for lower, upper in (("leaf", "spine"), ("spine", "core")):
        pairs = result.nodes.select(lower, upper).unique()
        assert pairs[lower].is_unique().all(), "a group is in two groups above it"


def test_members_of_a_group_share_its_leaves():
    tiers = three_tiers()
    cables = tiers.cables.filter((pl.col("fabric") == "compute") & (pl.col("kind") == "node_leaf"))
    leaves = dict(cables.group_by("a_device").agg(pl.col("b_device").sort()).iter_rows())
    for nodes in groups(grouped(tiers), "leaf").values():
        assert len({tuple(leaves[node]) for node in nodes}) == 1


def test_nodes_on_both_planes_are_one_group():
    assert {len(nodes) for nodes in groups(grouped(planes()), "leaf").values()} == {20}


def test_domains_are_racks_and_may_be_partly_full():
    result = grouped(domains())
    assert {name: len(nodes) for name, nodes in groups(result, "domain").items()} == {"gb-r01": 18, "gb-r02": 2}
    plain = result.nodes.filter(pl.col("pool") == "srv")
    assert plain["domain"].is_null().all()


def test_a_node_without_compute_port_is_grouped_in_band():
    result = grouped(domains(), ["srv"])
    assert result.nodes["fabric"].unique().to_list() == ["inband"]
    assert result.nodes["leaf"].is_not_null().all()


def test_growth_renames_no_group():
    def of(count: int) -> pl.DataFrame:
        def change(data):
            data["pools"][0].update(count=count)
            del data["control"]["ufm"]

        return grouped(expand(change)).nodes

    small, large = of(33), of(70)
    assert small.join(large, on=small.columns, how="anti", nulls_equal=True).is_empty()


@pytest.mark.parametrize(
    ("change", "levels"),
    [
        ({"topology": "full-mesh", "switch": "sn5600", "transport": "roce"}, ("leaf", "spine")),
        ({"topology": "collapsed-core", "switch": "sn5600", "transport": "roce"}, ("leaf", "spine")),
        ({"topology": "dragonfly", "switch": "qm9700"}, ("leaf", "spine", "core")),
    ],
)
def test_topologies_without_spines_have_groups_too(change, levels):
    def another(data):
        small = {"count": 7, "scalable_unit": 8} if change["topology"] == "collapsed-core" else {"count": 90}
        data["pools"][0].update(small)
        data["fabrics"][0].update(change)
        del data["control"]["ufm"]

    result = grouped(expand(another))
    assert result.nodes["leaf"].is_not_null().all()
    for level in result.levels:
        assert result.nodes[level].is_not_null().all()
    assert set(result.levels) <= set(levels)
