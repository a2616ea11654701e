"""Flows are those of the published figures, and heat is neither lost nor made."""

from __future__ import annotations

import pytest

from rackwright import catalog
from rackwright.design.cooling import Media, cubic_feet_per_minute, heat, liters_per_minute, media, of_part
from rackwright.model.site import Site

KILOWATT = 1000.0


@pytest.mark.parametrize(
    ("density", "capacity", "rise", "expected"),
    [(1025, 3900, 10, 1.50), (1025, 3900, 12, 1.25), (1025, 3900, 14, 1.07), (997, 4180, 10, 1.44)],
)
def test_coolant_per_kilowatt(density, capacity, rise, expected):
    assert liters_per_minute(KILOWATT, density, capacity, rise) == pytest.approx(expected, rel=0.02)


@pytest.mark.parametrize(
    ("sku", "rise", "expected"), [("pg25", 10, 1.50), ("pg25", 12, 1.25), ("pg25", 14, 1.07), ("water", 10, 1.44)]
)
def test_coolants_of_the_catalog(parts_catalog, sku, rise, expected):
    coolant = parts_catalog.coolants[sku]
    flow = liters_per_minute(KILOWATT, coolant.density_kg_per_m3, coolant.heat_capacity_j_per_kg_k, rise)
    assert flow == pytest.approx(expected, rel=0.02)


@pytest.mark.parametrize(("rise", "expected"), [(11, 160), (12, 146), (14, 125), (20, 88)])
def test_air_per_kilowatt(rise, expected):
    assert cubic_feet_per_minute(KILOWATT, rise) == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize(("servers", "kilowatts", "planned"), [(2, 28.6, 4290), (4, 57.2, 8580)])
def test_racks_of_dgx_b200(parts_catalog, servers, kilowatts, planned):
    """The planning deck of DGX B200 gives 150 CFM/kW, the rise of 11.7 K; the server itself states 1,550 CFM."""
    part = parts_catalog.servers["dgx-b200"]
    rack = heat([part] * servers, Media(0.0, 0.0))
    assert (rack.air_watts / 1000, rack.airflow_cfm) == (pytest.approx(kilowatts), 1550 * servers)
    assert cubic_feet_per_minute(rack.air_watts, 11.7) == pytest.approx(planned, rel=0.01)
    assert rack.airflow_cfm / (rack.air_watts / 1000) == pytest.approx(108, rel=0.01)


def test_gb200_rack_goes_mostly_into_the_liquid(parts_catalog):
    tray = parts_catalog.servers["gb200-nvl72"]
    assert of_part(tray, Media(0.0, 0.0)).liquid_watts / tray.peak_watts == pytest.approx(0.87, abs=0.001)


def test_the_larger_of_stated_and_derived_flow_counts(parts_catalog):
    part = parts_catalog.servers["mi355x-dlc-4u"]
    assert of_part(part, Media(1.5 / 1000, 0.1)).coolant_liters_per_minute == 20.0
    assert of_part(part, Media(3.0 / 1000, 0.1)).coolant_liters_per_minute == pytest.approx(12_180 * 3 / 1000, rel=0.01)


def test_air_follows_from_heat_where_none_is_stated(parts_catalog):
    switch = parts_catalog.switches["qm9700"].model_copy(update={"airflow_cfm": 0})
    assert of_part(switch, Media(0.0, 0.16)).airflow_cfm == pytest.approx(0.16 * switch.peak_watts)


def test_the_rises_are_those_of_the_site(wet):
    site = Site.model_validate(wet)
    some = media(site, catalog.load(site.catalog))
    assert some.liters_per_minute_per_watt * KILOWATT == pytest.approx(1.50, rel=0.02)
    assert some.cfm_per_watt * KILOWATT == pytest.approx(160, rel=0.01)


def test_racks_and_totals_conserve_the_load(cooled):
    design = cooled()
    racks, totals = design.racks, design.totals
    assert (racks["liquid_watts"] + racks["air_watts"]).to_list() == racks["peak_watts"].to_list()
    assert racks["liquid_watts"].sum() == 64_000
    assert totals["liquid_kw"] == 64.0
    assert totals["coolant_liters_per_minute"] == pytest.approx(racks["coolant_liters_per_minute"].sum(), abs=0.1)
    assert totals["coolant_liters_per_minute"] == pytest.approx(64 * 1.50, rel=0.02)
    assert totals["air_cfm"] == pytest.approx(racks["airflow_cfm"].sum(), abs=0.1)
    assert design.studies["cooling"]["liquid_kw"] + design.studies["cooling"]["air_kw"] == pytest.approx(
        totals["it_kw"]
    )
