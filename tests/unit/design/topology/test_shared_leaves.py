"""Leaves that all pools of a site share, and one management switch where it has room for everything."""

from __future__ import annotations

import numpy as np
import pytest

from rackwright.base.errors import ProblemsError
from rackwright.model.site import Site
from rackwright.spec.crosscheck import topologies
from tests.unit.design.topology.sites import assert_sound, built, counts

STORAGE, INBAND, MANAGEMENT = 1, 2, 3


@pytest.fixture
def two_pools(data, parts_catalog):
    """The networks of a site with `count` and `last` nodes in two pools, with changes to its fabrics."""

    def make(count=2, last=4, **by_fabric):
        data["control"].pop("ufm", None)
        train = data["pools"][0] | {"count": count, "scalable_unit": count, "servers_per_rack": 2}
        data["pools"] = [train, train | {"name": "tune", "count": last, "scalable_unit": last}]
        for fabric in data["fabrics"]:
            fabric["pools"] = []
            fabric.update(by_fabric.get(fabric["name"], {}))
        return built(Site.model_validate(data), parts_catalog)

    return make


def leaves_of(network, node):
    """Leaves of the links of one machine, in the order of its ports."""
    return [int(b) for wires in network.wires if wires.kind == "node_leaf" for b in wires.b[wires.a == node]]


def test_pools_share_leaves(two_pools):
    apart, storage = two_pools()[STORAGE], two_pools(storage={"leaf_group": "site"})[STORAGE]
    assert counts(storage)["leaf"] < counts(apart)["leaf"]
    assert_sound(storage)
    assert {member.pool for member in storage.members} == {""}
    for node in range(6):
        leaves = leaves_of(storage, node)
        assert len(set(leaves)) == len(leaves), "the links of a node end on leaves apart"


def test_a_node_added_last_moves_no_cable(two_pools):
    before, after = (two_pools(last=last, storage={"leaf_group": "site"})[STORAGE] for last in (4, 5))
    for smaller, larger in zip(before.wires[:2], after.wires[:2], strict=True):
        for end in ("a", "a_port", "b_port"):
            assert np.array_equal(getattr(smaller, end), getattr(larger, end)[: len(smaller)])


@pytest.mark.parametrize(("changes", "switches"), [({}, 1), ({"leaf_group": "unit"}, 3), ({"leaf_group": "site"}, 1)])
def test_a_small_site_has_one_management_switch(two_pools, changes, switches):
    management = two_pools(oob=changes)[MANAGEMENT]
    assert len(management.members) == switches
    assert_sound(management)


def test_a_large_site_has_a_group_per_unit_unless_it_says_otherwise(two_pools):
    apart, shared = two_pools(32)[MANAGEMENT], two_pools(32, oob={"leaf_group": "site"})[MANAGEMENT]
    assert {(member.pool, member.unit) for member in apart.members} == {("train", 1), ("tune", 1), ("", 0)}
    assert {(member.pool, member.unit) for member in shared.members} == {("", 0)}
    assert len(shared.members) <= len(apart.members)


@pytest.mark.parametrize(
    ("topology", "group", "expected"),
    [("rail-optimized", "site", "unit or rack"), ("management", "rack", "unit or site")],
)
def test_leaves_that_a_topology_cannot_share(data, parts_catalog, topology, group, expected):
    at = 3 if topology == "management" else 0
    data["fabrics"][at].update(topology=topology, leaf_group=group)
    problems = list(topologies.check(Site.model_validate(data), parts_catalog))
    assert [(problem.path, problem.expected) for problem in problems] == [(f"fabrics[{at}].leaf_group", expected)]
    assert isinstance(ProblemsError(problems), ProblemsError)
