from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rackwright.catalog import cost_reference
from rackwright.design import cost
from rackwright.design.cost import pue, terms
from rackwright.model.design import Design

FULL = {
    "prices": {"dgx-h100": 300_000.0},
    "energy_price_per_kwh": 0.08,
    "facility_price_per_watt": 10.0,
    "opex_per_watt_month": 0.05,
    "repair_share_per_year": 0.05,
    "pue": 1.5,
    "utilization": 0.75,
}


@pytest.fixture
def costed(plain):
    def make(**economics) -> Design:
        return plain(lambda data: data.update(economics=economics))

    return make


def figure(made, name):
    return made.studies["cost"]["figures"][name]


def test_the_published_inputs_give_what_a_plain_annuity_gives():
    """950 W and 29,000 dollars over six years: 58.9 thousand, not the 51 thousand that the book prints."""
    book = cost_reference.load().warehouse_scale
    watts, price = 950, 29_000
    energy = terms.energy_kwh_per_year(watts, book.average_draw_share, book.pue) * book.energy_price_per_kwh
    total = (
        terms.paid(price, book.server_years, 6, book.interest_per_year)
        + terms.paid(watts * book.facility_price_per_watt, book.facility_years, 6, book.interest_per_year)
        + 6 * (energy + watts * book.opex_per_watt_month * 12 + price * book.repair_share_per_year)
    )
    assert total == pytest.approx(58_900, abs=100)


def test_without_interest_a_purchase_is_written_off_in_a_straight_line():
    assert terms.paid(1000, 4, 2, 0) == 500
    assert terms.paid(1000, 4, 9, 0) == 1000
    assert terms.paid(1000, 20, 20, 0.08) > 1900


def test_every_figure_follows_from_its_inputs(costed):
    made = costed(**FULL)
    peak = made.totals["it_kw"] * 1000
    assert figure(made, "hardware")["value"] == 31 * 300_000
    assert figure(made, "facility")["value"] == pytest.approx(10 * peak)
    assert figure(made, "capex")["value"] == pytest.approx(9_300_000 + 10 * peak)
    assert figure(made, "energy_per_year")["value"] == pytest.approx(peak / 1000 * 0.75 * 1.5 * 8766 * 0.08)
    assert figure(made, "operation_per_year")["value"] == pytest.approx(peak * 0.05 * 12)
    assert figure(made, "repair_per_year")["value"] == pytest.approx(9_300_000 * 0.05)
    assert figure(made, "facility_written_off")["value"] == pytest.approx(10 * peak * 3 / 20)
    parts = figure(made, "total")["inputs"]
    assert figure(made, "total")["value"] == pytest.approx(sum(parts.values()))
    hours = 248 * 3 * 8766
    assert figure(made, "accelerator_hour")["value"] == pytest.approx(figure(made, "total")["value"] / hours)
    assert figure(made, "available_accelerator_hour")["value"] > figure(made, "accelerator_hour")["value"]
    for one in made.studies["cost"]["figures"].values():
        assert one["formula"]
        assert one["unit"].startswith("USD")
        assert one["inputs"]


def test_what_nobody_declared_is_named_and_not_counted_as_zero(costed):
    made = costed()
    study = made.studies["cost"]
    for name in ("hardware", "facility", "capex", "energy_per_year", "operation_per_year", "repair_per_year", "total"):
        assert figure(made, name)["value"] is None
        assert figure(made, name)["missing"]
    assert "Nothing is known" in study["says"]
    assert study["sensitivity"] == []
    assert figure(made, "energy_per_year")["inputs"]["kwh_per_year"] > 0


def test_a_total_says_what_it_lacks(costed):
    made = costed(energy_price_per_kwh=0.1)
    found = figure(made, "total")
    assert found["value"] == pytest.approx(3 * figure(made, "energy_per_year")["value"])
    assert {"economics.opex_per_watt_month", "economics.facility_price_per_watt", "price of dgx-h100"} <= set(
        found["missing"]
    )
    assert "without price of" in made.studies["cost"]["says"]


def test_the_design_share_lowers_energy_and_not_the_facility(plain):
    def change(data):
        data["economics"] = dict(FULL)
        data["facility"]["power"]["design_share"] = 0.5

    made = plain(change)
    peak = made.totals["it_kw"] * 1000
    assert figure(made, "energy_per_year")["value"] == pytest.approx(peak / 2000 * 0.75 * 1.5 * 8766 * 0.08)
    assert figure(made, "facility")["value"] == pytest.approx(10 * peak)


def test_pue_is_declared_derived_or_that_of_the_survey(costed, known):
    assert costed(pue=1.25).studies["cost"]["pue"]["value"] == 1.25
    bare = costed()
    assert bare.studies["cost"]["pue"]["value"] == cost_reference.load().survey.pue == 1.54
    assert "survey uptime-2025" in bare.studies["cost"]["pue"]["source"]
    cooled = replace(bare, studies={**bare.studies, "cooling": {"plant_kw": bare.totals["it_kw"] / 10}})
    found = pue.of_design(cooled, known)
    assert found.value == pytest.approx(1.1)
    assert "derived" in found.source


def test_ups_losses_are_in_a_derived_pue(costed, known):
    import polars as pl

    made = costed()
    ups = next(iter(known.ups.values()))
    load = made.totals["it_kw"] * 1000
    row = dict.fromkeys(made.power.schema) | {
        "element": "A-1",
        "kind": "ups",
        "sku": ups.sku,
        "load_watts": load,
    }
    table = pl.DataFrame([row], schema=made.power.schema)
    cooled = replace(made, power=table, studies={**made.studies, "cooling": {"plant_kw": 1.0}})
    found = pue.of_design(cooled, known)
    assert found.inputs["ups_losses_kw"] == pytest.approx(load / 1000 * (1 / ups.efficiency - 1))
    assert found.value == pytest.approx(1 / ups.efficiency + 1000 / load)


def test_sensitivity_moves_only_energy(costed):
    made = costed(**FULL)
    total = figure(made, "total")["value"]
    yearly = figure(made, "energy_per_year")["value"]
    found = {one["input"]: one for one in made.studies["cost"]["sensitivity"]}
    assert set(found) == {"energy_price_per_kwh", "utilization", "pue"}
    for one in found.values():
        low, high = one["totals"]
        assert low == pytest.approx(total - 0.6 * yearly)
        assert high == pytest.approx(total + 0.6 * yearly)


def test_sensitivity_stays_within_what_can_be(costed):
    made = costed(**{**FULL, "pue": 1.1, "utilization": 0.9})
    found = {one["input"]: one["tried"] for one in made.studies["cost"]["sensitivity"]}
    assert found["pue"] == [1.0, pytest.approx(1.32)]
    assert found["utilization"] == [pytest.approx(0.72), 1.0]


@given(price=st.floats(0, 10), more=st.floats(0, 10))
def test_total_never_falls_with_the_energy_price(price, more):
    low, high = (terms.energy_kwh_per_year(1e6, 0.8, 1.3) * one for one in (price, price + more))
    assert high >= low


@given(life=st.integers(1, 40), years=st.integers(1, 40), interest=st.floats(0, 0.5))
def test_payments_grow_with_the_years_and_cover_the_price(life, years, interest):
    assert terms.paid(1000, life, years, interest) <= terms.paid(1000, life, years + 1, interest) + 1e-9
    assert terms.paid(1000, life, life, interest) >= 1000 - 1e-6


def test_a_dearer_kilowatt_hour_makes_a_dearer_site(costed):
    totals = [figure(costed(**{**FULL, "energy_price_per_kwh": price}), "total")["value"] for price in (0.0, 0.05, 0.3)]
    assert totals == sorted(totals)
    assert totals[0] < totals[2]


def test_parts_of_the_plant_are_not_paid_beside_the_facility(costed, known):
    made = costed(**FULL)
    import polars as pl

    row = dict.fromkeys(made.bill.schema) | {"sku": "ups-x", "kind": "ups", "price": 5.0, "total": 5.0}
    more = replace(made, bill=pl.concat([made.bill, pl.DataFrame([row], schema=made.bill.schema)]))
    again = cost.add(more, known)
    assert figure(again, "total") == figure(made, "total")


def test_a_productive_hour_costs_more_than_an_owned_one(plain):
    def change(data):
        data["economics"] = dict(FULL)
        checkpoint = {"tier": "scratch", "parameters_billions": 70.0}
        data["workloads"] = [{"name": "llm", "pool": "train", "kind": "training", "checkpoint": checkpoint}]

    made = plain(change)
    owned = figure(made, "accelerator_hour")["value"]
    assert (
        figure(made, "productive_accelerator_hour_llm")["value"]
        > figure(made, "available_accelerator_hour")["value"]
        > owned
    )


def test_the_study_is_plain_data_and_always_the_same(costed, known):
    made = costed(**FULL)
    assert json.loads(json.dumps(made.studies["cost"])) == made.studies["cost"]
    assert cost.add(made, known).studies["cost"] == made.studies["cost"]
