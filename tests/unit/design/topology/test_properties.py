"""What holds of every fabric that can be built, whatever is declared."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import assume, example, given
from hypothesis import strategies as st

from rackwright import catalog, design
from rackwright.base import yaml_text
from rackwright.base.errors import ProblemsError
from rackwright.design.topology import Network
from rackwright.model.verdict import Outcome
from tests.examples import examples
from tests.unit.design.topology.sites import assert_sound, built, described

EXAMPLE = Path(__file__).resolve().parents[4] / "inventories" / "h100-pod" / "site.yaml"
TOPOLOGIES = (
    "rail-optimized",
    "fat-tree",
    "leaf-spine",
    "collapsed-core",
    "full-mesh",
    "scheduled",
    "dragonfly",
    "dragonfly-plus",
)
SWITCHES = {"dgx-h100": ("qm9700", "sn5600", "sn5400", "sn6600"), "dgx-b300": ("q3400-ra", "sn5600", "sn6600")}

FOUR_TO_THREE = {
    "topology": "full-mesh", "switch": "q3400-ra", "transport": "infiniband", "oversubscription": 1.33, "planes": 1,
    "rail_planes": False, "leaf_group": "unit",
}  # fmt: skip
"""Whose load is 1.3333333333333335 where 4/3 is declared."""


@cache
def parts_catalog() -> catalog.Catalog:
    return catalog.load()


@st.composite
def fabrics(draw: st.DrawFn) -> tuple[str, int, dict[str, Any]]:
    """Server, unit and a fabric that may or may not be possible."""
    server = draw(st.sampled_from(sorted(SWITCHES)))
    topology = draw(st.sampled_from(TOPOLOGIES))
    switch = draw(st.sampled_from(SWITCHES[server]))
    fabric: dict[str, Any] = {"topology": topology, "switch": switch}
    fabric["transport"] = parts_catalog().switches[switch].transport.replace("ethernet", "roce")
    if topology == "scheduled":
        fabric |= {"switch": "drivenets-ncp5300r", "spine_switch": "drivenets-ncf9300f", "transport": "roce"}
    else:
        fabric["oversubscription"] = draw(st.sampled_from([1, 1.33, 2, 3]))
    fabric["planes"] = draw(st.sampled_from([1, 1, 2]))
    fabric["rail_planes"] = draw(st.booleans())
    if topology in ("rail-optimized", "fat-tree", "leaf-spine", "full-mesh"):
        fabric["leaf_group"] = draw(st.sampled_from(["unit", "rack"]))
    return server, draw(st.sampled_from([3, 8, 16, 32])), fabric


def network(server: str, count: int, unit: int, fabric: dict[str, Any]) -> Network:
    data = yaml_text.load(EXAMPLE.read_text())
    return built(described(data, server, count, unit, 4, fabric), parts_catalog())[0]


def uplinks(built_design: Network, kind: str) -> Counter[int]:
    return Counter(entry for wires in built_design.wires if wires.kind == kind for entry in wires.a.tolist())


@given(fabrics(), st.integers(1, 140))
@examples(30, dear=True)
def test_ports_and_cables(chosen, count):
    server, unit, fabric = chosen
    try:
        fabric_network = network(server, count, unit, fabric)
    except ProblemsError as error:
        refused = error.problems
    else:
        refused = []
        assert_even(fabric_network, count, fabric)
    assert all(problem.next_step and problem.path for problem in refused)


def assert_even(built_design: Network, count: int, fabric: dict[str, Any]) -> None:
    assert_sound(built_design)
    hosts = [wires for wires in built_design.wires if wires.kind == "node_leaf"]
    nodes = {leave for wires in hosts for leave in wires.a[wires.there].tolist()}
    assert len(nodes) == count
    assert len({member.name for member in built_design.members}) == len(built_design.members)
    leaves = [member for member in built_design.members if member.tier == "leaf"]
    if uplinks(built_design, "leaf_spine"):
        up = uplinks(built_design, "leaf_spine")
        assert {leave.id for leave in leaves} == set(up)
        assert len(set(up.values())) == 1
    planes = {(member.plane, member.rail if fabric["rail_planes"] else -1) for member in built_design.members}
    assert len(planes) == fabric["planes"] * (8 if fabric["rail_planes"] else 1)
    ends = {leave for wires in built_design.wires for end in (wires.a, wires.b) for leave in end.tolist()}
    assert {member.id for member in built_design.members} <= ends


def host_cables(built_design: Network) -> set[tuple[str, int, str, int]]:
    names = built_design.roster.names
    return {
        (names[a], a_port, names[b], b_port)
        for wires in built_design.wires
        if wires.kind == "node_leaf"
        for a, a_port, b, b_port, there in zip(
            wires.a.tolist(), wires.a_port.tolist(), wires.b.tolist(), wires.b_port.tolist(), wires.there, strict=True
        )
        if there
    }


@given(fabrics(), st.integers(1, 100))
@examples(20, dear=True)
def test_a_node_or_a_unit_more_renames_nothing(chosen, count):
    server, unit, fabric = chosen
    try:
        before, unit_more = network(server, count, unit, fabric), network(server, count + unit, unit, fabric)
        node_more = network(server, count + 1, unit, fabric)
    except ProblemsError:
        return
    for after in (unit_more, node_more):
        assert {member.name for member in before.members} <= {member.name for member in after.members}
        same_tiers = {member.tier for member in before.members} == {member.tier for member in after.members}
        if fabric["topology"] in ("rail-optimized", "fat-tree", "leaf-spine", "collapsed-core") and same_tiers:
            assert host_cables(before) <= host_cables(after)


@given(fabrics(), st.integers(1, 70))
@example(("dgx-b300", 3, FOUR_TO_THREE), 25)
@examples(12, dear=True)
def test_whatever_expands_passes_the_rules_of_fabrics(chosen, count):
    server, unit, fabric = chosen
    data = yaml_text.load(EXAMPLE.read_text())
    try:
        expanded_design = design.expand(described(data, server, count, unit, 4, fabric), parts_catalog())
    except ProblemsError:
        assume(False)
        return
    rules = {rule.name: rule for rule in design.rules.rules()}
    for name in ("port_budget", "uplink_balance"):
        result = dict(rules[name].judge(expanded_design))
        assert result["compute"].outcome in (Outcome.PASS, Outcome.DEGRADED) if "compute" in result else True


def test_another_pool_that_grows_renames_nothing():
    def names(count: int) -> dict[str, set[str]]:
        data = yaml_text.load(EXAMPLE.read_text())
        site = described(data, "dgx-h100", count, 8, 4, {"pools": []})
        second = site.pools[0].model_copy(update={"name": "serve", "count": 16, "scalable_unit": 16})
        built_networks = built(site.model_copy(update={"pools": [*site.pools, second]}), parts_catalog())
        return {
            entry.fabric.name: {m.name for m in entry.members if m.pool == "serve" or not m.unit}
            for entry in built_networks
        }

    before, after = names(8), names(16)
    assert before["compute"] <= after["compute"]
    assert "compute-serve-leaf-01" in before["compute"]
    assert before["oob"] == after["oob"] == {"oob-serve-switch-01", "oob-site-switch-01"}
