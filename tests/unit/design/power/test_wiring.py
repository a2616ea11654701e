"""Circuits, phases and outlets of racks."""

from __future__ import annotations

from collections import Counter

import polars as pl
import pytest

from rackwright.design.power import shelf_count
from rackwright.model.plant import OutletGroup, Pdu
from tests.unit.design.power.power_designs import Filled, design, judge_rule, parts_catalog, power


def test_supplies_go_round_the_feeds():
    racks = design([Filled(["dgx-h100"] * 4)], power())
    assert set(racks.psus.group_by("device", "feed").len()["len"]) == {2}
    assert racks.psus["feed"].to_list()[:12] == [*"ABCABC", *"BCABCA"]


def test_phases_differ_by_one_supply_at_most():
    for count in range(1, 9):
        racks = design([Filled(["dgx-h100"] * count, rack="rack-48u-1200")], power(feeds=["A", "B"]))
        for _, on in racks.psus.group_by("circuit"):
            counts = Counter(on["phase"])
            spread = [counts[line] for line in ("L1", "L2", "L3")]
            assert max(spread) - min(spread) <= 1


def test_phases_of_unlike_supplies_are_as_even_as_they_can_be():
    racks = design(
        [Filled(["qm9700"] * 5 + ["sn2201"] * 4 + ["head-node-1u"] * 3)], power(feeds=["A"], survive={"feeds": 0})
    )
    row = racks.circuits.row(0, named=True)
    phases = [row[f"l{n}_watts"] for n in (1, 2, 3)]
    assert sum(phases) == pytest.approx(row["load_watts"], abs=0.3)
    smallest = 75
    assert max(phases) - min(phases) <= smallest


def test_taps_take_turns_along_a_row():
    racks = design([Filled(["dgx-h100"] * 4, racks=3)], power())
    first = [racks.psus.filter(pl.col("circuit") == f"r0{n}-A1")["phase"][0] for n in (1, 2, 3)]
    assert first == ["L1", "L2", "L3"]
    sums = racks.circuits.select("l1_watts", "l2_watts", "l3_watts").sum().row(0)
    assert max(sums) - min(sums) < 1


def test_low_voltage_hangs_between_lines():
    racks = design([Filled(["head-node-1u"] * 3)], power(circuit={"volts": 208, "amps": 60, "phases": 3}))
    assert set(racks.psus["phase"]) <= {"L1-L2", "L2-L3", "L3-L1"}


def test_single_phase_circuits_take_turns_on_the_phases():
    terms = power(feeds=["A"], survive={"feeds": 0}, circuit={"volts": 230, "amps": 32, "phases": 1})
    racks = design([Filled(["dgx-h100"] * 3)], terms)
    assert racks.circuits.height >= 6
    by_circuit = racks.psus.group_by("circuit").agg(pl.col("phase").n_unique())
    assert set(by_circuit["phase"]) == {1}
    assert set(racks.psus["phase"]) == {"L1", "L2", "L3"}


def test_weak_circuits_are_doubled():
    terms = power(circuit={"volts": 415, "amps": 32, "phases": 3})
    racks = design([Filled(["dgx-h100"] * 4)], terms)
    assert racks.circuits.filter(pl.col("feed") == "A")["circuit"].to_list() == ["r01-A1", "r01-A2"]
    assert judge_rule(racks, "power_circuit")["r01"].outcome == "pass"
    assert racks.psus.group_by("device", "feed").agg(pl.col("circuit").n_unique())["circuit"].max() == 1


def test_a_device_larger_than_a_circuit_is_split():
    terms = power(feeds=["A"], survive={"feeds": 0}, circuit={"volts": 230, "amps": 20, "phases": 1})
    racks = design([Filled(["dgx-h100"])], terms)
    assert racks.psus["circuit"].n_unique() == 3
    assert judge_rule(racks, "power_circuit")["r01"].outcome == "pass"


def test_hopeless_circuits_are_found_and_not_counted_up():
    racks = design([Filled(["dgx-h100"] * 4)], power(circuit={"volts": 415, "amps": 3, "phases": 3}))
    assert judge_rule(racks, "power_circuit")["r01"].outcome == "fail"
    assert racks.circuits.height <= racks.psus.height


def test_a_place_that_is_kept_has_its_cords_already():
    reserved = design([Filled(["dgx-h100"] * 4, absent=1)], power(rack_pdu="pdu-415v-60a"))
    full = design([Filled(["dgx-h100"] * 4)], power(rack_pdu="pdu-415v-60a"))
    assert reserved.psus.join(full.psus, on=reserved.psus.columns, how="anti").is_empty()
    assert reserved.psus.height == 18
    assert reserved.circuits["load_watts"].sum() == pytest.approx(3 * 10_200)


def test_three_figures():
    racks = design([Filled(["dgx-b200", "dgx-h100"])], power(design_share=0.8))
    assert racks.circuits["nameplate_watts"].sum() == 12 * 3300
    assert racks.circuits["load_watts"].sum() == pytest.approx(14_300 + 10_200, abs=0.5)
    typical = parts_catalog().servers["dgx-b200"].typical_watts
    assert racks.circuits["design_watts"].sum() == pytest.approx(typical + 0.8 * 10_200, abs=0.5)
    study = racks.studies["power"]
    assert (study["nameplate_kw"], study["peak_kw"]) == (39.6, pytest.approx(24.5, abs=0.001))


def test_every_supply_has_an_outlet_of_its_own():
    racks = design([Filled(["dgx-h100"] * 4)], power(rack_pdu="pdu-415v-60a"))
    assert racks.psus["outlet"].null_count() == 0
    assert racks.psus.select("circuit", "outlet").is_duplicated().sum() == 0
    assert set(racks.psus["outlet"].str.slice(0, 3)) == {"C19"}
    small = design([Filled(["sn2201"] * 4)], power(rack_pdu="pdu-415v-60a"))
    assert set(small.psus["outlet"].str.slice(0, 3)) == {"C13"}


def test_outlets_bound_to_phases_run_out_by_phase():
    part = parts_catalog().pdus["pdu-415v-60a"]
    groups = [OutletGroup(type="C19", count=3, amps=20)]
    parts_catalog().pdus["tiny"] = Pdu.model_validate(part.model_dump() | {"sku": "tiny", "outlets": groups})
    racks = design([Filled(["dgx-h100"] * 4)], power(rack_pdu="tiny"))
    del parts_catalog().pdus["tiny"]
    for _, on in racks.psus.group_by("circuit"):
        assert on["outlet"].null_count() == 5
        assert sorted(on["outlet"].drop_nulls()) == ["C19-1", "C19-2", "C19-3"]
    finding = judge_rule(racks, "outlets")["r01"]
    assert finding.outcome == "fail"
    assert "15 of 24 supplies without an outlet" in finding.says
    assert finding.next_step


# B300 rack: 76 kW peak on four shelves of 33 kW, N+1; GB200: 8 x 33 = 264 kW for 132 kW or 120 kW, N+N.
@pytest.mark.parametrize(
    ("rack", "watts", "count"),
    [
        ("rack-48u-busbar", 76_000, 4),
        ("rack-nvl72", 132_000, 8),
        ("rack-nvl72", 120_000, 8),
        ("rack-nvl72", 113_400, 8),
        ("rack-nvl72", 0, 0),
    ],
)
def test_published_shelves(rack, watts, count):
    part = parts_catalog().racks[rack]
    shelf = parts_catalog().power_shelves[part.power_shelf]
    assert shelf_count(part, shelf, watts, watts) == count
    needed = -(-watts // (shelf.psus * shelf.watts_each))
    assert needed == {76_000: 3, 132_000: 4, 120_000: 4, 113_400: 4, 0: 0}[watts]


def test_a_rack_without_a_busbar_has_no_shelves():
    shelf = parts_catalog().power_shelves["power-shelf-33kw"]
    assert shelf_count(parts_catalog().racks["rack-48u-1200"], shelf, 100_000, 100_000) == 0


NVL72 = ["gb200-nvl72"] * 18 + ["nvlink5-switch-tray"] * 9


def test_an_nvl72_rack_hangs_on_eight_shelves():
    racks = design([Filled(NVL72, rack="rack-nvl72")], power(feeds=["A", "B"]))
    shelf_rows = racks.power.filter(pl.col("kind") == "shelf")
    assert shelf_rows.height == 8
    assert shelf_rows["capacity_watts"].sum() == 264_000
    assert set(shelf_rows["parent"]) == set(racks.circuits["circuit"])
    assert racks.psus.height == 48
    assert dict(Counter(racks.psus["phase"])) == {"L1": 16, "L2": 16, "L3": 16}
    assert racks.circuits["load_watts"].sum() == pytest.approx(racks.racks["peak_watts"][0], abs=1)
    assert judge_rule(racks, "power_shelves")["r01"].outcome == "pass"
    assert "power-shelf-33kw" in racks.plant_parts


def test_switches_with_supplies_of_their_own_stand_beside_the_shelves():
    racks = design([Filled([*NVL72, "sn2201"], rack="rack-nvl72")], power(feeds=["A", "B"], rack_pdu="pdu-415v-60a"))
    supplies = racks.psus.filter(pl.col("device") == "r01-d28")
    assert supplies["circuit"].to_list() == ["r01-B5", "r01-A5"] or supplies["circuit"].to_list() == [
        "r01-A5",
        "r01-B5",
    ]
    assert racks.power.filter(pl.col("kind") == "pdu")["parent"].to_list() == ["r01-A5", "r01-B5"]
    assert judge_rule(racks, "outlets")["r01"].outcome == "pass"


def test_shelves_on_two_feeds_with_one_to_spare_do_not_survive_a_feed():
    servers = {"busbar-b300": parts_catalog().servers["dgx-b300"].model_copy(
        update={"sku": "busbar-b300", "psus": parts_catalog().servers["gb200-nvl72"].psus, "peak_watts": 19_000})}  # fmt: skip
    content = Filled(["busbar-b300"] * 4, rack="rack-48u-busbar", parts=servers)
    two = judge_rule(design([content], power(feeds=["A", "B"])), "power_shelves")["r01"]
    assert two.outcome == "fail"
    assert "2 of 4 shelves (66.0 kW) left with feed A lost; expected at least 76.0 kW" in two.says
    assert two.next_step
    four = judge_rule(design([content], power(feeds=["A", "B", "C", "D"])), "power_shelves")["r01"]
    assert four.outcome == "pass"
    assert "3 of 4 shelves (99.0 kW)" in four.says
