"""Floor plans from ten racks to thousands."""

from __future__ import annotations

import pytest

from rackwright.report.drawing_data import floor as floor_of
from rackwright.report.drawings import floor, floor_place
from tests.unit.report import geometry, scenes

SIZES = [(1, 1, 1), (2, 5, 7), (4, 10, 40), (16, 24, 384), (64, 64, 4096), (3, 7, 0), (400, 10, 4000), (2, 300, 555)]


def drawn(design, rows, per_row, filled, **more):
    plan = scenes.hall(design, rows, per_row, filled=filled, **more)
    (hall,) = floor_of.halls(plan)
    return hall, floor.drawing(hall, "tiny")


@pytest.mark.parametrize("size", SIZES)
def test_a_hall_of_any_size_is_legible(design, size):
    hall, markup = drawn(design, *size, liquid_share=0.8)
    geometry.assert_sound(markup)
    assert hall.racks == size[2]
    assert len(str(markup)) < 700_000


@pytest.mark.parametrize("size", SIZES)
def test_power_and_racks_are_conserved(design, size):
    plan = scenes.hall(design, size[0], size[1], filled=size[2], liquid_share=0.5)
    (hall,) = floor_of.halls(plan)
    assert sum(run.count for row in hall.rows for run in row.runs) == plan.racks.height
    assert sum(run.count * run.kw for row in hall.rows for run in row.runs) == pytest.approx(hall.kw)
    assert hall.kw * 1000 == pytest.approx(plan.racks["peak_watts"].sum())
    assert hall.liquid_kw * 1000 == pytest.approx(plan.racks["liquid_watts"].sum())


def test_a_small_hall_names_every_rack_with_its_figures_and_every_free_place(design):
    _, markup = drawn(design, 2, 5, 7, liquid_share=0.8)
    root = geometry.parsed(markup)
    texts = [word.text for word in geometry.words(root)]
    assert {f"train-r{n:02d}" for n in range(1, 8)} <= set(texts)
    assert texts.count("free") == 3
    assert texts.count("40.0 kW") == 7
    assert texts.count("522 kg") == 7
    assert any(
        "train-r01, position 1: 40.0 kW peak (8.0 to air, 32.0 to liquid)" in title for title in geometry.titles(root)
    )


def test_a_large_hall_is_a_heat_map_with_totals_per_row(design):
    hall, markup = drawn(design, 64, 64, 4096)
    root = geometry.parsed(markup)
    assert len(hall.rows[0].runs) < 20
    assert sum(word.text.startswith("row ") for word in geometry.words(root)) == 64
    assert any("9 × 40" in word.text for word in geometry.words(root))
    assert any(word.text == "over 130" for word in geometry.words(root))


def test_runs_hold_neighbours_with_equal_figures_alone(design):
    hall, _ = drawn(design, 64, 64, 4000)
    for row in hall.rows:
        for run in row.runs:
            assert run.kw in (20, 40)
            assert run.count <= 9 or run.kw == 40
    assert [run.count for run in hall.rows[0].runs][:3] == [9, 1, 9]


def test_a_gap_ends_a_run(design):
    plan = scenes.hall(design, 2, 10, filled=6)
    racks = plan.racks.with_columns(plan.racks["position"].replace({3: 8}).alias("position"))
    runs = floor_of._runs(racks, single=False)[1]
    assert sum(run.count for run in runs) == 6
    assert max(run.position for run in runs) == 8


@pytest.mark.parametrize(("kw", "number"), [(0, 0), (5, 0), (5.1, 1), (40, 3), (40.8, 4), (132, 7)])
def test_colours_are_the_same_in_every_hall(kw, number):
    assert floor_place.colour(kw) == number


def test_a_rack_heavier_than_the_floor_is_marked(design):
    plan = scenes.with_site(
        scenes.hall(design, 1, 3),
        {"halls": [{"name": "hall-1", "rows": 1, "racks_per_row": 3, "floor_load_kg_per_rack": 500}]},
    )
    (hall,) = floor_of.halls(plan)
    assert str(floor.drawing(hall, "tiny")).count('class="heavy"') == 3
    _, light = drawn(design, 1, 3, 3)
    assert 'class="heavy"' not in str(light)


def test_containment_is_drawn_around_the_contained_aisle(design):
    air = {"crahs": [{"sku": "crah", "count": 1}], "containment": "hot-aisle"}
    plan = scenes.with_site(scenes.hall(design, 2, 5), {"air": air})
    (hall,) = floor_of.halls(plan)
    root = geometry.assert_sound(floor.drawing(hall, "tiny"))
    assert sum(word.text == "hot aisle, contained" for word in geometry.words(root)) == 2
    assert "contained" in str(floor.drawing(hall, "tiny"))


def test_the_same_hall_is_drawn_the_same(design):
    assert drawn(design, 4, 10, 33)[1] == drawn(design, 4, 10, 33)[1]


def test_only_the_hall_that_is_asked_for(design):
    plan = scenes.with_site(
        scenes.hall(design, 1, 3), {"halls": [{"name": n, "rows": 1, "racks_per_row": 3} for n in ("hall-1", "hall-2")]}
    )
    assert [hall.name for hall in floor_of.halls(plan)] == ["hall-1", "hall-2"]
    assert [hall.name for hall in floor_of.halls(plan, "hall-2")] == ["hall-2"]
