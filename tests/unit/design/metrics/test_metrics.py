"""Fabrics drawn by hand with known answers, and the example site."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from rackwright.design import metrics
from rackwright.design.metrics import cut, impact, paths
from rackwright.design.metrics.graph import graph

PORT = 100


def drawn(leaves, spines=(), cores=(), *, between=(), hosts=4):
    """A fabric of named switches with `hosts` one-link nodes per leaf; `between` are lower end, upper end, cables."""
    tiers = [("leaf", leaves), ("spine", spines), ("core", cores)]
    switches = pl.DataFrame(
        [(name, tier, at) for tier, names in tiers for at, name in enumerate(names)],
        schema=["device", "role", "index"],
        orient="row",
    )
    names = [f"{leaf}-n{number}" for leaf in leaves for number in range(hosts)]
    nodes = pl.DataFrame({"node": names, "accelerators": [8] * len(names)})
    rows = [("node_leaf", name, name.partition("-n")[0], PORT, None) for name in names]
    rows += [("leaf_spine", low, high, PORT, None) for low, high, count in between for _ in range(count)]
    schema = {"kind": pl.String, "a_device": pl.String, "b_device": pl.String, "gbps": pl.Int32, "plane": pl.Int32}
    return graph(pl.DataFrame(rows, schema=schema, orient="row"), switches, nodes)


def two_tiers(up=2):
    leaves, spines = ["l1", "l2", "l3", "l4"], ["s1", "s2"]
    return drawn(leaves, spines, between=[(leaf, spine, up) for leaf in leaves for spine in spines])


def lost(fabric, *names):
    return np.isin(np.array(fabric.switches), names)


@pytest.mark.parametrize(("up", "share"), [(2, 1.0), (1, 0.5), (3, 1.0)])
def test_bisection_is_bounded_by_uplinks_not_by_injection(up, share):
    fabric = two_tiers(up)
    assert fabric.injection_gbps == 1600
    assert cut.bisection_gbps(fabric) == 800 * share


def test_bisection_of_one_switch_is_half_its_injection():
    assert cut.bisection_gbps(drawn(["l1"])) == 200


def test_a_mesh_carries_what_crosses_the_middle():
    leaves = ["l1", "l2", "l3", "l4"]
    pairs = [(a, b, 1) for at, a in enumerate(leaves) for b in leaves[at + 1 :]]
    assert cut.bisection_gbps(drawn(leaves, between=pairs)) == 400  # 2 x 2 pairs


def test_an_odd_number_of_leaves_is_halved_through_the_middle_one():
    leaves, spines = ["l1", "l2", "l3"], ["s1"]
    fabric = drawn(leaves, spines, between=[(leaf, "s1", 4) for leaf in leaves])
    assert cut.bisection_gbps(fabric) == fabric.injection_gbps / 2


def test_three_tiers_are_bounded_by_the_cores():
    between = [("l1", "s1", 4), ("l2", "s1", 4), ("l3", "s2", 4), ("l4", "s2", 4)]
    between += [("s1", "c1", 6), ("s2", "c1", 6)]
    fabric = drawn(["l1", "l2", "l3", "l4"], ["s1", "s2"], ["c1"], between=between)
    assert cut.bisection_gbps(fabric) == 600


def test_planes_are_halved_each():
    between = [("l1", "s1", 4), ("l2", "s1", 4), ("l3", "s2", 4), ("l4", "s2", 4)]
    fabric = drawn(["l1", "l2", "l3", "l4"], ["s1", "s2"], between=between)
    assert len(set(fabric.part)) == 2
    assert cut.bisection_gbps(fabric) == 800


def test_losing_a_switch_is_never_better():
    fabric = two_tiers()
    for name in fabric.switches:
        assert cut.bisection_gbps(fabric, lost(fabric, name)) <= cut.bisection_gbps(fabric)
    assert cut.bisection_gbps(fabric, lost(fabric, "s1")) == 400
    assert cut.bisection_gbps(fabric, lost(fabric, "s1", "s2")) == 0


def test_hops_and_paths():
    fabric = two_tiers()
    assert paths.study(fabric) == {"parts": 1, "switch_hops": 3, "equal_cost_paths": 8, "disjoint_paths": 4}
    hops, count = paths.search(fabric, fabric.switches.index("l1"))
    assert dict(zip(fabric.switches, hops, strict=True)) == {"l1": 0, "l2": 2, "l3": 2, "l4": 2, "s1": 1, "s2": 1}
    assert count[fabric.switches.index("l2")] == 2 * (2 * 2)


def test_losing_a_leaf_cuts_its_nodes_off():
    worst = impact.study(list(impact.worst_switches("compute", two_tiers())))
    assert worst["leaf"]["nodes_down"] == 4
    assert worst["spine"] == {"nodes_down": 0, "nodes_slowed": 0, "bisection_share": 0.5, "worst": "s2"}


def test_the_example(example):
    fabrics = example.studies["fabrics"]
    assert fabrics["compute"]["bisection_share"] == 1.0
    assert fabrics["compute"]["switch_hops"] == 3
    assert fabrics["compute"]["impact"]["leaf"]["nodes_slowed"] == 31
    assert fabrics["storage"]["ports_free"] == {"leaf": 14}
    rows = example.losses.filter(pl.col("domain") == "fabric")
    assert set(rows["kind"]) == {"switch", "link"}
    assert rows.filter(pl.col("element").str.starts_with("oob"))["nodes_down"].to_list() == [0]


def test_losing_by_name(example):
    loss = metrics.lose(example, "switch", "compute-spine-01")
    assert (loss.nodes_down, loss.nodes_slowed) == (0, 0)
    assert loss.bisection_share == pytest.approx(0.7742)
    assert loss.says.startswith("Without compute-spine-01 every node keeps all its links into compute")
    with pytest.raises(KeyError):
        metrics.lose(example, "switch", "compute-spine-99")
    with pytest.raises(KeyError):
        metrics.lose(example, "plane", "compute 3")
