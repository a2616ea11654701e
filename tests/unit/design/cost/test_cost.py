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


def figure(built_design, name):
    return built_design.studies["cost"]["figures"][name]


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
    costed_design = costed(**FULL)
    peak = costed_design.totals["it_kw"] * 1000
    assert figure(costed_design, "hardware")["value"] == 31 * 300_000
    assert figure(costed_design, "facility")["value"] == pytest.approx(10 * peak)
    assert figure(costed_design, "capex")["value"] == pytest.approx(9_300_000 + 10 * peak)
    assert figure(costed_design, "energy_per_year")["value"] == pytest.approx(peak / 1000 * 0.75 * 1.5 * 8766 * 0.08)
    assert figure(costed_design, "operation_per_year")["value"] == pytest.approx(peak * 0.05 * 12)
    assert figure(costed_design, "repair_per_year")["value"] == pytest.approx(9_300_000 * 0.05)
    assert figure(costed_design, "facility_written_off")["value"] == pytest.approx(10 * peak * 3 / 20)
    parts = figure(costed_design, "total")["inputs"]
    assert figure(costed_design, "total")["value"] == pytest.approx(sum(parts.values()))
    hours = 248 * 3 * 8766
    assert figure(costed_design, "accelerator_hour")["value"] == pytest.approx(
        figure(costed_design, "total")["value"] / hours
    )
    assert (
        figure(costed_design, "available_accelerator_hour")["value"]
        > figure(costed_design, "accelerator_hour")["value"]
    )
    for studie in costed_design.studies["cost"]["figures"].values():
        assert studie["formula"]
        assert studie["unit"].startswith("USD")
        assert studie["inputs"]


def test_what_nobody_declared_is_named_and_not_counted_as_zero(costed):
    costed_design = costed()
    study = costed_design.studies["cost"]
    for name in ("hardware", "facility", "capex", "energy_per_year", "operation_per_year", "repair_per_year", "total"):
        assert figure(costed_design, name)["value"] is None
        assert figure(costed_design, name)["missing"]
    assert "Nothing is known" in study["says"]
    assert study["sensitivity"] == []
    assert figure(costed_design, "energy_per_year")["inputs"]["kwh_per_year"] > 0


def test_a_total_says_what_it_lacks(costed):
    costed_design = costed(energy_price_per_kwh=0.1)
    result = figure(costed_design, "total")
    assert result["value"] == pytest.approx(3 * figure(costed_design, "energy_per_year")["value"])
    assert {"economics.opex_per_watt_month", "economics.facility_price_per_watt", "price of dgx-h100"} <= set(
        result["missing"]
    )
    assert "without price of" in costed_design.studies["cost"]["says"]


def test_the_design_share_lowers_energy_and_not_the_facility(plain):
    def change(data):
        data["economics"] = dict(FULL)
        data["facility"]["power"]["design_share"] = 0.5

    plain_design = plain(change)
    peak = plain_design.totals["it_kw"] * 1000
    assert figure(plain_design, "energy_per_year")["value"] == pytest.approx(peak / 2000 * 0.75 * 1.5 * 8766 * 0.08)
    assert figure(plain_design, "facility")["value"] == pytest.approx(10 * peak)


def test_pue_is_declared_derived_or_that_of_the_survey(costed, parts_catalog):
    assert costed(pue=1.25).studies["cost"]["pue"]["value"] == 1.25
    bare = costed()
    assert bare.studies["cost"]["pue"]["value"] == cost_reference.load().survey.pue == 1.54
    assert "survey uptime-2025" in bare.studies["cost"]["pue"]["source"]
    cooled = replace(bare, studies={**bare.studies, "cooling": {"plant_kw": bare.totals["it_kw"] / 10}})
    result = pue.of_design(cooled, parts_catalog)
    assert result.value == pytest.approx(1.1)
    assert "derived" in result.source


def test_ups_losses_are_in_a_derived_pue(costed, parts_catalog):
    import polars as pl

    costed_design = costed()
    ups = next(iter(parts_catalog.ups.values()))
    load = costed_design.totals["it_kw"] * 1000
    row = dict.fromkeys(costed_design.power.schema) | {
        "element": "A-1",
        "kind": "ups",
        "sku": ups.sku,
        "load_watts": load,
    }
    table = pl.DataFrame([row], schema=costed_design.power.schema)
    cooled = replace(costed_design, power=table, studies={**costed_design.studies, "cooling": {"plant_kw": 1.0}})
    result = pue.of_design(cooled, parts_catalog)
    assert result.inputs["ups_losses_kw"] == pytest.approx(load / 1000 * (1 / ups.efficiency - 1))
    assert result.value == pytest.approx(1 / ups.efficiency + 1000 / load)


def test_sensitivity_moves_only_energy(costed):
    costed_design = costed(**FULL)
    total = figure(costed_design, "total")["value"]
    yearly = figure(costed_design, "energy_per_year")["value"]
    result = {studie["input"]: studie for studie in costed_design.studies["cost"]["sensitivity"]}
    assert set(result) == {"energy_price_per_kwh", "utilization", "pue"}
    for studie in result.values():
        low, high = studie["totals"]
        assert low == pytest.approx(total - 0.6 * yearly)
        assert high == pytest.approx(total + 0.6 * yearly)


def test_sensitivity_stays_within_what_can_be(costed):
    costed_design = costed(**{**FULL, "pue": 1.1, "utilization": 0.9})
    result = {studie["input"]: studie["tried"] for studie in costed_design.studies["cost"]["sensitivity"]}
    assert result["pue"] == [1.0, pytest.approx(1.32)]
    assert result["utilization"] == [pytest.approx(0.72), 1.0]


@given(price=st.floats(0, 10), more=st.floats(0, 10))
def test_total_never_falls_with_the_energy_price(price, more):
    low, high = (terms.energy_kwh_per_year(1e6, 0.8, 1.3) * entry for entry in (price, price + more))
    assert high >= low


@given(life=st.integers(1, 40), years=st.integers(1, 40), interest=st.floats(0, 0.5))
def test_payments_grow_with_the_years_and_cover_the_price(life, years, interest):
    assert terms.paid(1000, life, years, interest) <= terms.paid(1000, life, years + 1, interest) + 1e-9
    assert terms.paid(1000, life, life, interest) >= 1000 - 1e-6


def test_a_dearer_kilowatt_hour_makes_a_dearer_site(costed):
    totals = [figure(costed(**{**FULL, "energy_price_per_kwh": price}), "total")["value"] for price in (0.0, 0.05, 0.3)]
    assert totals == sorted(totals)
    assert totals[0] < totals[2]


def test_parts_of_the_plant_are_not_paid_beside_the_facility(costed, parts_catalog):
    costed_design = costed(**FULL)
    import polars as pl

    row = dict.fromkeys(costed_design.bill.schema) | {"sku": "ups-x", "kind": "ups", "price": 5.0, "total": 5.0}
    more = replace(
        costed_design, bill=pl.concat([costed_design.bill, pl.DataFrame([row], schema=costed_design.bill.schema)])
    )
    again = cost.add(more, parts_catalog)
    assert figure(again, "total") == figure(costed_design, "total")


def test_a_productive_hour_costs_more_than_an_owned_one(plain):
    def change(data):
        data["economics"] = dict(FULL)
        checkpoint = {"tier": "scratch", "parameters_billions": 70.0}
        data["workloads"] = [{"name": "llm", "pool": "train", "kind": "training", "checkpoint": checkpoint}]

    plain_design = plain(change)
    owned = figure(plain_design, "accelerator_hour")["value"]
    assert (
        figure(plain_design, "productive_accelerator_hour_llm")["value"]
        > figure(plain_design, "available_accelerator_hour")["value"]
        > owned
    )


def test_the_study_is_plain_data_and_always_the_same(costed, parts_catalog):
    costed_design = costed(**FULL)
    assert json.loads(json.dumps(costed_design.studies["cost"])) == costed_design.studies["cost"]
    assert cost.add(costed_design, parts_catalog).studies["cost"] == costed_design.studies["cost"]
