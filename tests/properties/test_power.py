"""Loads are conserved, more lost is never better, another feed never worse, and equal input gives equal output."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rackwright.design.power.capacity import TO_NEUTRAL
from rackwright.design.power.loss import LossResult, lose
from tests.examples import examples
from tests.unit.design.power.power_designs import Filled, design, power

SKUS = ["dgx-h100", "dgx-b200", "dgx-b300", "l40s-2u", "qm9700", "sn2201", "head-node-1u"]
CIRCUITS = [
    {"volts": 415, "amps": 60, "phases": 3},
    {"volts": 400, "amps": 32, "phases": 3},
    {"volts": 208, "amps": 60, "phases": 3},
    {"volts": 230, "amps": 32, "phases": 1},
]
contents = st.lists(st.sampled_from(SKUS), min_size=1, max_size=6)
racks = st.lists(st.builds(Filled, skus=contents, racks=st.integers(1, 4)), min_size=1, max_size=3)
feeds = st.integers(1, 5)
circuits = st.sampled_from(CIRCUITS)


def letters(count: int) -> list[str]:
    return list("ABCDEF")[:count]


def asked(count: int, circuit: dict[str, int], **change):
    return power(feeds=letters(count), circuit=circuit, survive={"feeds": min(1, count - 1)}, **change)


@given(racks, feeds, circuits)
@examples(25)
def test_loads_are_conserved(filled, count, circuit):
    made = design(filled, asked(count, circuit))
    total = made.racks["peak_watts"].sum()
    tenths = made.circuits.height * 0.1
    assert made.circuits["load_watts"].sum() == pytest.approx(total, abs=tenths)
    phases = made.circuits.select(pl.sum_horizontal("l1_watts", "l2_watts", "l3_watts").alias("sum"))["sum"]
    assert phases.to_list() == pytest.approx(made.circuits["load_watts"].to_list(), abs=0.31)
    by_feed = made.power.filter(pl.col("kind") == "feed")
    assert by_feed["load_watts"].sum() == pytest.approx(total, abs=1)
    assert made.psus["watts"].sum() == made.circuits["nameplate_watts"].sum() == by_feed["nameplate_watts"].sum()
    by_rack = made.circuits.group_by("rack").agg(pl.sum("load_watts")).join(made.racks, on="rack")
    assert (by_rack["load_watts"] - by_rack["peak_watts"]).abs().max() <= 0.1 * made.circuits.height


@given(racks, feeds, circuits)
@examples(25)
def test_every_supply_has_one_place(filled, count, circuit):
    made = design(filled, asked(count, circuit, rack_pdu=None))
    assert made.psus.select("device", "psu").is_duplicated().sum() == 0
    known = made.circuits.select("circuit", "feed", "rack")
    placed = made.psus.join(known, on=["circuit", "feed"], how="inner")
    assert placed.height == made.psus.height
    homes = made.devices.select("device", pl.col("rack").alias("home"))
    assert placed.join(homes, on="device").filter(pl.col("home") != pl.col("rack")).is_empty()
    assert made.psus["phase"].str.split("-").list.eval(pl.element().is_in(TO_NEUTRAL)).list.all().all()


def worse(more: LossResult, less: LossResult) -> bool:
    """`more` was lost than in `less`, and nothing got better; feeds are left out, some of their circuits are gone."""
    shared = {name for name in more.loads if name in less.loads and name not in "ABCDEF"}
    heavier = all(more.loads[name] >= less.loads[name] - 0.01 for name in shared)
    return (
        set(less.devices_down) <= set(more.devices_down)
        and more.nodes_down >= less.nodes_down
        and more.accelerators_down >= less.accelerators_down
        and more.remaining_share <= less.remaining_share + 1e-9
        and (less.survives or not more.survives)
        and heavier
    )


@given(racks, st.integers(2, 4), circuits, st.integers(20, 400), st.data())
@examples(30)
def test_losing_more_is_never_better(filled, count, circuit, kilowatts, data):
    made = design(filled, asked(count, circuit, feed_kw=kilowatts))
    # Feeds that cannot carry the site in the first place trip whatever is lost, and then order decides.
    assume(made.circuits["load_watts"].sum() <= count * kilowatts * 1000)
    first, second = data.draw(st.permutations(letters(count)))[:2]
    one, both = lose(made, "feed", first), lose(made, "feed", f"{first}+{second}")
    names = made.circuits.filter(pl.col("feed") == first)["circuit"]
    circuit_name = data.draw(st.sampled_from(names.to_list()))
    part = lose(made, "circuit", circuit_name)
    assert worse(both, one)
    assert worse(one, part)
    row = made.psus.filter(pl.col("circuit") == circuit_name)
    if row.height:
        assert worse(part, lose(made, "psu", f"{row['device'][0]}-psu{row['psu'][0]}"))


@given(st.lists(st.sampled_from(SKUS), min_size=1, max_size=4), st.integers(2, 5))
@examples(20)
def test_another_feed_is_never_worse(skus, count):
    few, more = (design([Filled(skus, racks=2)], asked(n, CIRCUITS[0])) for n in (count, count + 1))
    lost = {made: [lose(design_, "feed", feed) for feed in letters(n)]
            for made, design_, n in (("few", few, count), ("more", more, count + 1))}  # fmt: skip
    down = {made: max(len(one.devices_down) for one in found) for made, found in lost.items()}
    share = {made: min(one.remaining_share for one in found) for made, found in lost.items()}
    survives = {made: all(one.survives for one in found) for made, found in lost.items()}
    assert down["more"] <= down["few"]
    assert share["more"] >= share["few"] - 1e-9
    assert survives["more"] or not survives["few"]


@given(racks, feeds, circuits)
@examples(10)
def test_equal_input_gives_equal_output(filled, count, circuit):
    one, other = (design(filled, asked(count, circuit)) for _ in range(2))
    for table in ("circuits", "psus", "power", "losses"):
        assert getattr(one, table).equals(getattr(other, table)), table
    assert one.studies == other.studies


@given(st.lists(st.sampled_from(SKUS), min_size=2, max_size=6), st.integers(1, 5), feeds, circuits)
@examples(20)
def test_a_device_more_moves_no_cord(skus, absent, count, circuit):
    kept = design([Filled(skus, absent=min(absent, len(skus) - 1))], asked(count, circuit))
    full = design([Filled(skus)], asked(count, circuit))
    assert kept.psus.join(full.psus, on=kept.psus.columns, how="anti", nulls_equal=True).is_empty()
    assert kept.circuits["circuit"].equals(full.circuits["circuit"])
