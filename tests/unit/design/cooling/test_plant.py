"""Loops of halls, what is left of them after losses, and what the tables say."""

from __future__ import annotations

import pytest

from rackwright.design.cooling.loss import simulate_loss
from rackwright.design.cooling.plant import loops
from tests.unit.design.cooling.parts import cdu, swap


def test_the_table_has_every_unit_with_its_share(cooled):
    rows = cooled().cooling.rows_by_key("unit", named=True, unique=True)
    assert list(rows) == [
        "hall-1-test-cdu-01", "hall-1-test-cdu-02", "hall-1-test-crah-01", "hall-1-test-crah-02",
    ]  # fmt: skip
    entry = rows["hall-1-test-cdu-01"]
    assert (entry["capacity_watts"], entry["load_watts"], entry["worst_watts"]) == (100_000, 32_000, 64_000)
    assert entry["worst_flow"] == pytest.approx(2 * entry["flow"])
    assert entry["loop"] == "hall-1-coolant"


def test_loads_of_a_loop_are_those_of_its_racks(cooled):
    design = cooled(lambda data: data["facility"]["liquid"]["cdus"].append({"sku": "test-cdu", "count": 3}))
    for loop in loops(design):
        shares = design.cooling.filter(design.cooling["loop"] == loop.name)
        assert shares["load_watts"].sum() == pytest.approx(loop.load_watts)
        assert shares["flow"].sum() == pytest.approx(loop.load_flow, abs=0.01)
    assert design.cooling["unit"].n_unique() == len(design.cooling)


def test_losses_are_simulated_per_kind(cooled):
    result = {row["kind"]: row for row in cooled().losses.filter(domain="cooling").iter_rows(named=True)}
    assert list(result) == ["cdu", "pump", "crah"]
    assert all(row["survives"] and row["must_survive"] and row["nodes_down"] == 0 for row in result.values())
    assert (result["cdu"]["remaining_share"], result["pump"]["remaining_share"]) == (0.5, 1.0)
    assert result["cdu"]["says"] == (
        "Without CDU hall-1-test-cdu-01, hall-1-coolant can carry 100.0 kW and 150 L/min "
        "where its racks ask for 64.0 kW and 96 L/min: nothing goes down."
    )


def test_what_has_no_cooling_goes_down(cooled):
    def change(data):
        data["facility"]["liquid"]["survive"] = {"cdus": 0}
        swap(data, cdu(liters_per_minute=50.0))

    loss = simulate_loss(cooled(change), "cdu", "hall-1-test-cdu-02")
    assert (loss.nodes_down, loss.racks_down) == (4, ("train-r03", "train-r04"))
    assert not loss.survives
    assert not loss.must_survive
    assert loss.says.endswith("2 racks from train-r03 to train-r04 have no cooling, with 4 nodes and 0 accelerators.")


def test_pumps_without_a_spare(cooled):
    def change(data):
        swap(data, cdu(pumps=2, pumps_needed=2))

    design = cooled(change)
    loss = simulate_loss(design, "pump", "hall-1-test-cdu-01")
    assert loss.remaining_share == 0.75
    assert loss.says.startswith("Without 1 pump of hall-1-test-cdu-01, hall-1-coolant can carry 150.0 kW and 225 L/min")


def test_two_losses_that_must_survive_are_simulated_together(cooled):
    def change(data):
        data["facility"]["liquid"] |= {"cdus": [{"sku": "test-cdu", "count": 3}], "survive": {"cdus": 2}}

    rows = cooled(change).losses.filter(domain="cooling", kind="cdu")
    assert rows["element"].to_list() == ["hall-1-test-cdu-01", "hall-1-test-cdu-01+hall-1-test-cdu-02"]
    assert rows["survives"].to_list() == [True, True]


def test_the_worst_is_lost_when_none_is_named(cooled):
    assert simulate_loss(cooled(), "crah").name == "hall-1-test-crah-01"


@pytest.mark.parametrize(
    ("kind", "name"),
    [("cdu", "hall-9-x"), ("crah", "hall-1-test-cdu-01"), ("pump", "hall-1-test-cdu-01+x"), ("valve", None)],
)
def test_losing_what_is_not_there(cooled, kind, name):
    with pytest.raises(KeyError):
        simulate_loss(cooled(), kind, name)


def test_losing_without_a_plant(example):
    with pytest.raises(KeyError):
        simulate_loss(example, "cdu")


def test_losing_several(cooled):
    loss = simulate_loss(cooled(), "cdu", "hall-1-test-cdu-02+hall-1-test-cdu-01")
    assert (loss.nodes_down, loss.remaining_share, loss.must_survive) == (8, 0.0, False)
    assert simulate_loss(cooled(), "crah", "hall-1-test-crah-02").survives


def test_units_of_a_second_hall(cooled):
    def change(data):
        for hall in data["facility"]["halls"]:  # neither has room for the whole unit
            hall["racks_per_row"] = 3
        data["facility"]["liquid"]["cdus"].append({"sku": "test-cdu", "count": 2, "hall": "hall-2"})
        data["facility"]["air"]["crahs"].append({"sku": "test-crah", "count": 2, "hall": "hall-2"})

    design = cooled(change)
    result = {loop.name: loop.load_watts for loop in loops(design)}
    assert (result["hall-1-coolant"], result["hall-2-coolant"]) == (48_000, 16_000)
    assert sum(result.values()) == design.racks["peak_watts"].sum()


def test_the_study_adds_up_the_draw_of_the_plant(cooled):
    study = cooled().studies["cooling"]
    assert study["plant_kw"] == 2 * 2 + 2 * 1
    loop = study["loops"][0]
    assert (loop["headroom_kw"], loop["worst_capacity_kw"]) == (36.0, 100.0)
    assert loop["headroom_liters_per_minute"] == pytest.approx(150 - loop["liters_per_minute"])
    assert study["water"]["class"] == "W32"
    assert study["water"]["return_celsius"] == 42.0


def test_detectors_as_declared(cooled):
    """Racks of 48 units need 2.13 m down and 0.6 m across; the row of four is 2.4 m: ropes of 3 m, one each."""
    counts = {
        studie["watches"]: (studie["sku"], studie["count"]) for studie in cooled().studies["cooling"]["leak_detectors"]
    }
    assert counts == {"rack": ("leak-rope-rack", 4), "row": ("leak-rope-rack", 1)}
    assert "leak-rope-rack" in cooled().plant_parts


def test_a_long_row_takes_long_ropes(cooled):
    def change(data):
        data["facility"]["halls"][0]["racks_per_row"] = 60
        data["pools"][0] |= {"count": 104, "servers_per_rack": 2, "scalable_unit": 104}

    row = cooled(change).studies["cooling"]["leak_detectors"][-1]
    assert (row["sku"], row["meters_each"], row["count"]) == ("leak-rope-row", 31.2, 2)


@pytest.mark.parametrize(("declared", "watches"), [("none", []), ("rack", ["rack"]), ("row", ["row"])])
def test_detectors_where_they_are_declared(cooled, declared, watches):
    design = cooled(lambda data: data["facility"]["liquid"].update(leak_detection=declared))
    assert [studie["watches"] for studie in design.studies["cooling"]["leak_detectors"]] == watches


def test_a_site_without_a_plant_has_no_loops(cooled, wet):
    wet["facility"] |= {"liquid": None, "air": None}
    wet["pools"][0]["server"] = "head-node-1u"
    design = cooled()
    assert design.cooling.is_empty()
    assert design.studies["cooling"]["loops"] == []
    assert design.studies["cooling"]["plant_kw"] == 0
    assert design.losses.filter(domain="cooling").is_empty()
