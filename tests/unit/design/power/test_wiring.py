"""Circuits, phases and outlets of racks."""

from __future__ import annotations

from collections import Counter

import polars as pl
import pytest

from rackwright.design.power import shelves
from rackwright.model.plant import OutletGroup, Pdu
from tests.unit.design.power.built import Filled, design, judged, known, power


def test_supplies_go_round_the_feeds():
    made = design([Filled(["dgx-h100"] * 4)], power())
    assert set(made.psus.group_by("device", "feed").len()["len"]) == {2}
    assert made.psus["feed"].to_list()[:12] == [*"ABCABC", *"BCABCA"]


def test_phases_differ_by_one_supply_at_most():
    for count in range(1, 9):
        made = design([Filled(["dgx-h100"] * count, rack="rack-48u-1200")], power(feeds=["A", "B"]))
        for _, on in made.psus.group_by("circuit"):
            counts = Counter(on["phase"])
            spread = [counts[line] for line in ("L1", "L2", "L3")]
            assert max(spread) - min(spread) <= 1


def test_phases_of_unlike_supplies_are_as_even_as_they_can_be():
    made = design(
        [Filled(["qm9700"] * 5 + ["sn2201"] * 4 + ["head-node-1u"] * 3)], power(feeds=["A"], survive={"feeds": 0})
    )
    row = made.circuits.row(0, named=True)
    phases = [row[f"l{n}_watts"] for n in (1, 2, 3)]
    assert sum(phases) == pytest.approx(row["load_watts"], abs=0.3)
    smallest = 75
    assert max(phases) - min(phases) <= smallest


def test_taps_take_turns_along_a_row():
    made = design([Filled(["dgx-h100"] * 4, racks=3)], power())
    first = [made.psus.filter(pl.col("circuit") == f"r0{n}-A1")["phase"][0] for n in (1, 2, 3)]
    assert first == ["L1", "L2", "L3"]
    sums = made.circuits.select("l1_watts", "l2_watts", "l3_watts").sum().row(0)
    assert max(sums) - min(sums) < 1


def test_low_voltage_hangs_between_lines():
    made = design([Filled(["head-node-1u"] * 3)], power(circuit={"volts": 208, "amps": 60, "phases": 3}))
    assert set(made.psus["phase"]) <= {"L1-L2", "L2-L3", "L3-L1"}


def test_single_phase_circuits_take_turns_on_the_phases():
    asked = power(feeds=["A"], survive={"feeds": 0}, circuit={"volts": 230, "amps": 32, "phases": 1})
    made = design([Filled(["dgx-h100"] * 3)], asked)
    assert made.circuits.height >= 6
    by_circuit = made.psus.group_by("circuit").agg(pl.col("phase").n_unique())
    assert set(by_circuit["phase"]) == {1}
    assert set(made.psus["phase"]) == {"L1", "L2", "L3"}


def test_weak_circuits_are_doubled():
    asked = power(circuit={"volts": 415, "amps": 32, "phases": 3})
    made = design([Filled(["dgx-h100"] * 4)], asked)
    assert made.circuits.filter(pl.col("feed") == "A")["circuit"].to_list() == ["r01-A1", "r01-A2"]
    assert judged(made, "power_circuit")["r01"].outcome == "pass"
    assert made.psus.group_by("device", "feed").agg(pl.col("circuit").n_unique())["circuit"].max() == 1


def test_a_device_larger_than_a_circuit_is_split():
    asked = power(feeds=["A"], survive={"feeds": 0}, circuit={"volts": 230, "amps": 20, "phases": 1})
    made = design([Filled(["dgx-h100"])], asked)
    assert made.psus["circuit"].n_unique() == 3
    assert judged(made, "power_circuit")["r01"].outcome == "pass"


def test_hopeless_circuits_are_found_and_not_counted_up():
    made = design([Filled(["dgx-h100"] * 4)], power(circuit={"volts": 415, "amps": 3, "phases": 3}))
    assert judged(made, "power_circuit")["r01"].outcome == "fail"
    assert made.circuits.height <= made.psus.height


def test_a_place_that_is_kept_has_its_cords_already():
    kept = design([Filled(["dgx-h100"] * 4, absent=1)], power(rack_pdu="pdu-415v-60a"))
    full = design([Filled(["dgx-h100"] * 4)], power(rack_pdu="pdu-415v-60a"))
    assert kept.psus.join(full.psus, on=kept.psus.columns, how="anti").is_empty()
    assert kept.psus.height == 18
    assert kept.circuits["load_watts"].sum() == pytest.approx(3 * 10_200)


def test_three_figures():
    made = design([Filled(["dgx-b200", "dgx-h100"])], power(design_share=0.8))
    assert made.circuits["nameplate_watts"].sum() == 12 * 3300
    assert made.circuits["load_watts"].sum() == pytest.approx(14_300 + 10_200, abs=0.5)
    typical = known().servers["dgx-b200"].typical_watts
    assert made.circuits["design_watts"].sum() == pytest.approx(typical + 0.8 * 10_200, abs=0.5)
    study = made.studies["power"]
    assert (study["nameplate_kw"], study["peak_kw"]) == (39.6, pytest.approx(24.5, abs=0.001))


def test_every_supply_has_an_outlet_of_its_own():
    made = design([Filled(["dgx-h100"] * 4)], power(rack_pdu="pdu-415v-60a"))
    assert made.psus["outlet"].null_count() == 0
    assert made.psus.select("circuit", "outlet").is_duplicated().sum() == 0
    assert set(made.psus["outlet"].str.slice(0, 3)) == {"C19"}
    small = design([Filled(["sn2201"] * 4)], power(rack_pdu="pdu-415v-60a"))
    assert set(small.psus["outlet"].str.slice(0, 3)) == {"C13"}


def test_outlets_bound_to_phases_run_out_by_phase():
    part = known().pdus["pdu-415v-60a"]
    groups = [OutletGroup(type="C19", count=3, amps=20)]
    known().pdus["tiny"] = Pdu.model_validate(part.model_dump() | {"sku": "tiny", "outlets": groups})
    made = design([Filled(["dgx-h100"] * 4)], power(rack_pdu="tiny"))
    del known().pdus["tiny"]
    for _, on in made.psus.group_by("circuit"):
        assert on["outlet"].null_count() == 5
        assert sorted(on["outlet"].drop_nulls()) == ["C19-1", "C19-2", "C19-3"]
    found = judged(made, "outlets")["r01"]
    assert found.outcome == "fail"
    assert "15 of 24 supplies without an outlet" in found.says
    assert found.next_step


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
    part = known().racks[rack]
    shelf = known().power_shelves[part.power_shelf]
    assert shelves(part, shelf, watts) == count
    needed = -(-watts // (shelf.psus * shelf.watts_each))
    assert needed == {76_000: 3, 132_000: 4, 120_000: 4, 113_400: 4, 0: 0}[watts]


def test_a_rack_without_a_busbar_has_no_shelves():
    shelf = known().power_shelves["power-shelf-33kw"]
    assert shelves(known().racks["rack-48u-1200"], shelf, 100_000) == 0


NVL72 = ["gb200-nvl72"] * 18 + ["nvlink5-switch-tray"] * 9


def test_an_nvl72_rack_hangs_on_eight_shelves():
    made = design([Filled(NVL72, rack="rack-nvl72")], power(feeds=["A", "B"]))
    shelf_rows = made.power.filter(pl.col("kind") == "shelf")
    assert shelf_rows.height == 8
    assert shelf_rows["capacity_watts"].sum() == 264_000
    assert set(shelf_rows["parent"]) == set(made.circuits["circuit"])
    assert made.psus.height == 48
    assert dict(Counter(made.psus["phase"])) == {"L1": 16, "L2": 16, "L3": 16}
    assert made.circuits["load_watts"].sum() == pytest.approx(made.racks["peak_watts"][0], abs=1)
    assert judged(made, "power_shelves")["r01"].outcome == "pass"
    assert "power-shelf-33kw" in made.plant_parts


def test_switches_with_supplies_of_their_own_stand_beside_the_shelves():
    made = design([Filled([*NVL72, "sn2201"], rack="rack-nvl72")], power(feeds=["A", "B"], rack_pdu="pdu-415v-60a"))
    own = made.psus.filter(pl.col("device") == "r01-d28")
    assert own["circuit"].to_list() == ["r01-B5", "r01-A5"] or own["circuit"].to_list() == ["r01-A5", "r01-B5"]
    assert made.power.filter(pl.col("kind") == "pdu")["parent"].to_list() == ["r01-A5", "r01-B5"]
    assert judged(made, "outlets")["r01"].outcome == "pass"


def test_shelves_on_two_feeds_with_one_to_spare_do_not_survive_a_feed():
    servers = {"busbar-b300": known().servers["dgx-b300"].model_copy(
        update={"sku": "busbar-b300", "psus": known().servers["gb200-nvl72"].psus, "peak_watts": 19_000})}  # fmt: skip
    content = Filled(["busbar-b300"] * 4, rack="rack-48u-busbar", parts=servers)
    two = judged(design([content], power(feeds=["A", "B"])), "power_shelves")["r01"]
    assert two.outcome == "fail"
    assert "2 of 4 shelves (66.0 kW) left with feed A lost; expected at least 76.0 kW" in two.says
    assert two.next_step
    four = judged(design([content], power(feeds=["A", "B", "C", "D"])), "power_shelves")["r01"]
    assert four.outcome == "pass"
    assert "3 of 4 shelves (99.0 kW)" in four.says
