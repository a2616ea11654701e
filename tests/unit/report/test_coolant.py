"""Cooling drawings: liquid, air, both, neither declared."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rackwright.report.drawing_data import coolant as heat_of
from rackwright.report.drawings import coolant
from tests import build
from tests.unit.report import geometry, scenes

LIQUID = {
    "cdus": [{"sku": "cdu", "count": 2}], "supply_celsius": 32, "delta_t_kelvin": 10, "leak_detection": "rack-and-row",
    "facility_water": {"supply_celsius": 26, "delta_t_kelvin": 8},
}  # fmt: skip
STUDY = {
    "water": {
        "approach_kelvin": 6.0,
        "facility_supply_celsius": 26.0,
        "facility_liters_per_minute": 1383.0,
        "class": "W27",
    },
    "loops": [
        {
            "hall": "hall-1",
            "kind": "cdu",
            "header": {"pipe": "DN100", "count": 2, "meters_per_s": 2.3, "run_meters": 30},
        }
    ],
}


def machine(kind: str, number: int, load: float) -> dict[str, object]:
    return {
        "unit": f"hall-1-{kind}-{number:02d}", "kind": kind, "sku": f"{kind}-200", "hall": "hall-1", "loop": f"hall-1-{kind}",
        "capacity_watts": 2e6, "load_watts": load, "worst_watts": load * 1.5, "flow": 400.0, "flow_capacity": 2125.0, "worst_flow": 600.0,
    }  # fmt: skip


def cooled(design, rows=2, per_row=6, *, liquid=0.8, cdus=2, crahs=2):
    design = scenes.hall(design, rows, per_row, liquid_share=liquid)
    design = scenes.with_site(design, {"liquid": LIQUID} if liquid else {})
    machines = [machine("cdu", n, 3e5) for n in range(1, cdus + 1)] + [
        machine("crah", n, 4e4) for n in range(1, crahs + 1)
    ]
    losses = [
        {
            "domain": "cooling",
            "kind": "cdu",
            "element": "c",
            "survives": True,
            "must_survive": True,
            "remaining_share": 0.5,
            "says": "Without CDU c: nothing goes down.",
        }
    ]
    return replace(
        design,
        cooling=scenes.frame("cooling", machines),
        studies={"cooling": STUDY},
        losses=scenes.frame("losses", losses),
    )


@pytest.mark.parametrize(
    "case",
    [
        {}, {"liquid": 0.0}, {"cdus": 0, "crahs": 0}, {"liquid": 0.0, "crahs": 0}, {"cdus": 30, "crahs": 40}, {"rows": 64, "per_row": 64},
        {"rows": 1, "per_row": 1}, {"rows": 12, "per_row": 25, "cdus": 8, "crahs": 8},
    ],
)  # fmt: skip
def test_every_case_is_legible(design, case):
    (hall,) = heat_of.coolings(cooled(design, **case))
    geometry.assert_sound(coolant.drawing(hall, "tiny"))
    assert len(hall.branches) <= 64


def test_temperatures_flows_and_machines_are_told(design):
    (hall,) = heat_of.coolings(cooled(design))
    texts = " ".join(word.text for word in geometry.words(geometry.parsed(coolant.drawing(hall, "tiny"))))
    for words in (
        "32 °C",
        "42 °C",
        "supply 26 °C",
        "return 34 °C",
        "class W27",
        "1,383 l/min",
        "approach 6 K",
        "2 × DN100, 2.3 m/s",
        "hall-1-cdu-01",
        "300 of 2,000 kW",
        "Without CDU c",
    ):
        assert words in texts


def test_heat_and_flow_are_conserved(design):
    plan = cooled(design, 2, 6)
    (hall,) = heat_of.coolings(plan)
    assert sum(branch.liquid_kw + branch.air_kw for branch in hall.branches) * 1000 == pytest.approx(
        plan.racks["peak_watts"].sum()
    )
    assert hall.liters_per_minute == pytest.approx(plan.racks["coolant_liters_per_minute"].sum())
    assert sum(branch.liters_per_minute for branch in hall.branches) == pytest.approx(hall.liters_per_minute)


def test_detectors_and_valves_stand_where_they_were_declared(design):
    def drops(where):
        plan = cooled(design)
        plan = scenes.with_site(plan, {"liquid": LIQUID | {"leak_detection": where}})
        (hall,) = heat_of.coolings(plan)
        return str(coolant.drawing(hall, "tiny")).count("q5 6 3.5 8.5")

    assert drops("none") == 0
    assert drops("rack") == 12 + 1
    assert drops("rack-and-row") == 24 + 1


def test_an_air_cooled_hall_has_no_coolant(design):
    (hall,) = heat_of.coolings(cooled(design, liquid=0.0, cdus=0, crahs=0))
    drawn = str(coolant.drawing(hall, "tiny"))
    assert hall.water is None
    assert "Air cooling of hall-1" in drawn
    assert "no air handlers declared" in drawn
    assert "coolant distribution" not in drawn


def test_equal_rows_are_one_branch(design):
    (hall,) = heat_of.coolings(cooled(design, 10, 10))
    assert [branch.name for branch in hall.branches] == ["row 1 to 10, each of 10"]


def test_a_hall_without_racks_is_not_drawn(design):
    plan = scenes.with_site(
        cooled(design), {"halls": [{"name": n, "rows": 2, "racks_per_row": 6} for n in ("hall-1", "hall-2")]}
    )
    assert [cooling.hall for cooling in heat_of.coolings(plan)] == ["hall-1"]
    assert heat_of.coolings(plan, "hall-2") == []


def test_the_example_site_is_legible():
    for cooling in heat_of.coolings(build.site_design()):
        geometry.assert_sound(coolant.drawing(cooling, "example"))
