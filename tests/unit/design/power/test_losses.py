"""What is left after a loss."""

from __future__ import annotations

import polars as pl
import pytest

from rackwright.design.power.loss import simulate_loss
from tests.unit.design.power.power_designs import Filled, design, judge_rule, power

FULL = {
    "rack_pdu": "pdu-415v-60a",
    "busway": "busway-400a-415v",
    "ups": {"sku": "galaxy-vs-150", "per_feed": 3},
    "survive": {"feeds": 1, "ups": 1, "pdus": 1, "psus": 1},
}


@pytest.fixture(scope="module")
def full():
    return design([Filled(["dgx-h100"] * 4, racks=4), Filled(["qm9700"] * 6)], power(**FULL))


def test_dgx_h100_needs_three_feeds():
    """4+2 supplies on two feeds: 3 x 3.3 = 9.9 kW are left for 10.2 kW. On three feeds 13.2 kW."""
    rack = [Filled(["dgx-h100"] * 4)]
    two, three = design(rack, power(feeds=["A", "B"])), design(rack, power())
    lost = simulate_loss(two, "feed", "A")
    assert not lost.survives
    assert (lost.nodes_down, lost.accelerators_down) == (4, 32)
    assert "3 of 6 supplies, 9900 W for 10200 W" in lost.says
    assert simulate_loss(three, "feed", "A").survives
    finding = judge_rule(two, "power_supplies")["r01"]
    assert finding.outcome == "fail"
    assert finding.next_step
    assert {row["survives"] for row in two.losses.filter(pl.col("kind") == "feed").iter_rows(named=True)} == {False}


@pytest.mark.parametrize(
    ("sku", "feeds", "good"),
    [("dgx-b300", 2, True), ("dgx-b200", 2, False), ("dgx-b200", 5, False), ("dgx-b200", 6, True), ("qm9700", 2, True)],
)
def test_schemes(sku, feeds, good):
    """12 supplies N+N and 1+1 live on two feeds; 5+1 only where every supply has a feed of its own."""
    racks = design([Filled([sku] * 2)], power(feeds=list("ABCDEF")[:feeds]))
    assert simulate_loss(racks, "feed", "A").survives is good


def test_every_kind_is_simulated(full):
    losses = {row["kind"]: row for row in full.losses.iter_rows(named=True)}
    assert set(losses) == {"feed", "ups", "busway", "circuit", "pdu", "psu"}
    assert all(row["domain"] == "power" and row["says"].endswith(".") for row in losses.values())
    assert {kind for kind, row in losses.items() if not row["must_survive"]} == {"busway"}
    assert full.losses["survives"].all()


def test_each_row_is_what_losing_it_says(full):
    for row in full.losses.iter_rows(named=True):
        loss = simulate_loss(full, row["kind"], row["element"])
        assert (loss.says, loss.nodes_down, loss.survives) == (row["says"], row["nodes_down"], row["survives"])
        assert loss.remaining_share == pytest.approx(row["remaining_share"], abs=1e-4)


def test_what_is_lost_carries_nothing_and_the_rest_carries_all(full):
    total = full.racks["peak_watts"].sum()
    for kind, name in (("feed", "B"), ("ups", "A-ups2"), ("busway", "hall-1-row1-C"), ("pdu", "r02-A1-pdu")):
        loss = simulate_loss(full, kind, name)
        assert loss.survives
        assert sum(loss.loads[feed] for feed in "ABC" if feed in loss.loads) == pytest.approx(total)
        circuits = sum(watts for circuit, watts in loss.loads.items() if circuit in set(full.circuits["circuit"]))
        assert circuits == pytest.approx(total)
        assert name.removesuffix("-pdu") not in loss.loads
    two = simulate_loss(full, "ups", "A-ups2")
    assert two.loads["A-ups1"] == pytest.approx(two.loads["A"] / 2)
    assert two.loads["B-ups2"] == pytest.approx(two.loads["B"] / 3)


def test_several_at_once(full):
    both = simulate_loss(full, "feed", "A+B")
    assert both.nodes_down == 16
    assert not both.survives
    assert simulate_loss(full, "psu", "r01-d01-psu1+r01-d01-psu2").nodes_down == 0
    three = simulate_loss(full, "psu", "r01-d01-psu1+r01-d01-psu2+r01-d01-psu3")
    assert three.devices_down == ["r01-d01"]
    assert (three.nodes_down, three.accelerators_down) == (1, 8)
    assert "1 node with 8 accelerators" in three.says


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("sun", "A"),
        ("feed", "Z"),
        ("ups", "A-ups4"),
        ("busway", "hall-1-row9-A"),
        ("circuit", "r99-A1"),
        ("circuit", "r01-A1+r02-A1"),
        ("pdu", "r01-A1"),
        ("shelf", "r01-d01"),
        ("psu", "r01-d01-psu9"),
        ("feed", ""),
    ],
)
def test_unknown_names(full, kind, name):
    with pytest.raises(KeyError):
        simulate_loss(full, kind, name)


def test_what_is_not_there_cannot_be_lost():
    bare = design([Filled(["dgx-h100"])], power())
    assert set(bare.losses["kind"]) == {"feed", "circuit", "psu"}
    for kind, name in (("ups", "A-ups1"), ("busway", "hall-1-row1-A"), ("pdu", "r01-A1-pdu"), ("shelf", "r01-shelf1")):
        with pytest.raises(KeyError):
            simulate_loss(bare, kind, name)


def test_an_overloaded_feed_guarantees_nothing():
    racks = design([Filled(["dgx-b300"] * 4)], power(feeds=["A", "B"], feed_kw=40))
    loss = simulate_loss(racks, "feed", "A")
    assert not loss.survives
    assert loss.nodes_down == 4
    assert "feed B has to carry 58.0 of 40.0 kW" in loss.says
    assert simulate_loss(racks, "psu", "r01-d01-psu1").survives


def test_too_few_ups_are_an_overload():
    racks = design(
        [Filled(["dgx-b300"] * 4, racks=3)], power(feeds=["A", "B"], ups={"sku": "galaxy-vs-150", "per_feed": 1})
    )
    loss = simulate_loss(racks, "feed", "A")
    assert loss.nodes_down == 12
    assert "feed B has to carry 174.0 of 150.0 kW" in loss.says


def test_the_only_ups_takes_its_feed_with_it():
    racks = design([Filled(["dgx-h100"] * 4)], power(ups={"sku": "galaxy-vs-150", "per_feed": 1}))
    ups, feed = simulate_loss(racks, "ups", "A-ups1"), simulate_loss(racks, "feed", "A")
    assert ups.survives
    assert ups.loads == feed.loads
    assert ups.remaining_share == feed.remaining_share


def test_losing_a_shelf():
    content = Filled(["gb200-nvl72"] * 18 + ["nvlink5-switch-tray"] * 9, rack="rack-nvl72")
    racks = design([content], power(feeds=["A", "B"]))
    assert {"shelf"} < set(racks.losses["kind"])
    assert simulate_loss(racks, "shelf", "r01-shelf1").survives
    half = simulate_loss(racks, "shelf", "+".join(f"r01-shelf{n}" for n in range(1, 5)))
    assert half.survives
    assert half.remaining_share == 0.5
    more = simulate_loss(racks, "shelf", "+".join(f"r01-shelf{n}" for n in range(1, 6)))
    assert more.nodes_down == 18
    assert len(more.devices_down) == 27


def test_two_feeds_at_once_where_that_is_declared():
    racks = design([Filled(["dgx-b300"] * 2)], power(feeds=list("ABC"), survive={"feeds": 2}))
    feeds = racks.losses.filter(pl.col("kind") == "feed")
    assert feeds["element"].to_list() == ["A", "B", "C", "A+B", "A+C", "B+C"]
    assert feeds["must_survive"].all()


def test_the_tree(full):
    rows = {row["element"]: row for row in full.power.iter_rows(named=True)}
    assert rows["A"]["parent"] is None
    assert rows["A-ups1"]["parent"] == "A"
    assert rows["hall-1-row1-A"]["parent"] == "A"
    assert rows["r01-A1-pdu"]["parent"] == "r01-A1"
    assert set(full.circuits["parent"]) <= set(rows)
    for kind, share in (("feed", 1), ("ups", 3), ("busway", 1)):
        of_kind = full.power.filter(pl.col("kind") == kind)
        assert of_kind["load_watts"].sum() == pytest.approx(full.racks["peak_watts"].sum(), rel=1e-4), (kind, share)
    worst = [row["worst_watts"] - row["load_watts"] for row in rows.values()]
    assert min(worst) >= -0.2
    assert rows["A"]["worst_loss"].startswith("feed ")
    assert set(full.plant_parts) >= {"pdu-415v-60a", "busway-400a-415v", "galaxy-vs-150"}
