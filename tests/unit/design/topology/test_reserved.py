"""Ports that the site keeps free."""

from __future__ import annotations

from collections import Counter
from time import process_time

import polars as pl
import pytest

from rackwright import design
from rackwright.base.errors import ProblemsError
from tests.unit.design.topology.sites import assert_sound, counts


def test_kept_free_on_the_last_leaves_with_room(network):
    fabric_network = network("dgx-h100", 62, 31, reserved={"exits": 8, "storage": 4})
    assert Counter(purpose for _, _, purpose in fabric_network.reserved) == {"storage": 4, "exits": 8}
    leaves = [member.id for member in fabric_network.members if member.tier == "leaf"]
    per_leaf = Counter(leaf for leaf, _, _ in fabric_network.reserved)
    assert set(per_leaf) == {*leaves[8:], *leaves[4:8]} or set(per_leaf) == {*leaves[8:], *leaves[:4]}
    assert set(per_leaf.values()) == {1}
    assert_sound(fabric_network)


def test_uplinks_are_sized_for_them(network):
    plain, reserved = network("dgx-h100", 60, 30), network("dgx-h100", 60, 30, reserved={"growth": 32})
    per_leaf = [counts(entry)["leaf_spine"] // counts(entry)["leaf"] for entry in (plain, reserved)]
    assert per_leaf == [30, 32]


def test_very_many_are_refused_at_once(network):
    started = process_time()
    with pytest.raises(ProblemsError) as raised:
        network("dgx-h100", 31, 32, reserved={"ufm": 2000, "growth": 10**9})
    assert process_time() - started < 1
    (problem,) = raised.value.problems
    assert problem.expected == "1000002000 free host ports for ufm, growth"
    assert problem.found == "8 on 8 leaves beside nodes and control servers"


def test_a_node_that_is_not_there_yet_lends_its_port(network):
    fabric_network = network("dgx-h100", 127, 32, reserved={"ufm": 4})
    assert {port for _, port, _ in fabric_network.reserved} == {31}
    with pytest.raises(ProblemsError) as raised:
        network("dgx-h100", 128, 32, reserved={"ufm": 4})
    (problem,) = raised.value.problems
    assert problem.path == "fabrics[0].reserved.ufm"
    assert "oversubscription" in problem.next_step


def test_dealt_over_planes(network):
    fabric_network = network(
        "dgx-b300", 60, 60, transport="roce", switch="sn5600", planes=2, topology="fat-tree", reserved={"exits": 6}
    )
    planes = {member.id: member.plane for member in fabric_network.members}
    assert Counter(planes[leaf] for leaf, _, _ in fabric_network.reserved) == {0: 3, 1: 3}


@pytest.mark.parametrize("topology", ["collapsed-core", "full-mesh", "dragonfly", "dragonfly-plus"])
def test_every_topology_keeps_them(network, topology):
    fabric = {"transport": "roce", "switch": "sn5600"}
    fabric_network = network("dgx-h100", 12, 12, topology=topology, **fabric, reserved={"storage": 3, "exits": 4})
    assert Counter(purpose for _, _, purpose in fabric_network.reserved) == {"storage": 3, "exits": 4}
    assert_sound(fabric_network)


def test_reserved_ports_need_no_links_between_two_cores(network):
    fabric = {"topology": "collapsed-core", "transport": "roce", "switch": "sn5600"}
    fabric_network = network("dgx-h100", 12, 12, **fabric, reserved={"storage": 12, "exits": 12})
    assert counts(fabric_network) == {"core": 2, "node_leaf": 96, "isl": 48}


def test_shown_in_the_table_of_ports(described_site, parts_catalog):
    expanded_design = design.expand(described_site("dgx-h100", 31, 31, reserved={"exits": 2}), parts_catalog)
    reserved = expanded_design.ports.filter(pl.col("reserved").is_not_null())
    assert reserved.select("fabric", "reserved", "cable").rows() == [("compute", "exits", None)] * 2
