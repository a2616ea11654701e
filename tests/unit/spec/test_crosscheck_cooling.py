"""Cooling that cannot work whatever the racks hold: every mistake at its field, with a next step, and once."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from rackwright import catalog, spec
from rackwright.base import yaml_text
from rackwright.base.errors import ProblemsError
from rackwright.model.site import Site
from rackwright.spec import crosscheck
from rackwright.spec.crosscheck import cooling
from tests.unit.design.cooling.parts import cdu, swap, wet_site


@pytest.fixture
def problems(example_site):
    def check(change):
        data = wet_site(yaml_text.load(example_site.read_text()))
        change(data)
        site = Site.model_validate(data)
        loaded = catalog.load(site.catalog)
        return [*cooling.plant(site, loaded), *cooling.temperatures(site, loaded), *cooling.air(site, loaded)]

    return check


def test_a_site_in_order(problems):
    assert problems(lambda data: None) == []


def test_a_site_without_any_cooling_is_in_order(example_site):
    site = Site.model_validate(yaml_text.load(example_site.read_text()))
    assert [*cooling.plant(site, catalog.load()), *cooling.temperatures(site, catalog.load())] == []


@pytest.mark.parametrize(("celsius", "wrong"), [(5, 0), (45, 0), (4.9, 1), (-300, 1), (1000, 1)])
def test_air_that_nothing_is_made_for(problems, celsius, wrong):
    problems = problems(lambda data: data["facility"]["halls"][0].update(supply_air_celsius=float(celsius)))
    assert [problem.path for problem in problems] == ["facility.halls[0].supply_air_celsius"] * wrong


def test_every_check_is_registered():
    assert {cooling.plant, cooling.temperatures, cooling.air} <= crosscheck.CHECKS.keys()


def liquid(**change):
    return lambda data: data["facility"]["liquid"].update(change)


def water(celsius):
    return lambda data: data["facility"]["liquid"]["facility_water"].update(supply_celsius=celsius)


def air(**change):
    return lambda data: data["facility"]["air"].update(change)


BROKEN = {
    "cdu": (liquid(cdus=[{"sku": "chx200", "count": 2}]), "facility.liquid.cdus[0].sku", "spec.unknown_sku", "chx200"),
    "kind": (liquid(cdus=[{"sku": "test-crah", "count": 2}]), "facility.liquid.cdus[0].sku", "spec.wrong_kind", "a crah"),
    "coolant": (liquid(coolant="brine"), "facility.liquid.coolant", "spec.unknown_sku", "brine"),
    "crah": (air(crahs=[{"sku": "x", "count": 2}]), "facility.air.crahs[0].sku", "spec.unknown_sku", "x"),
    "hall": (
        liquid(cdus=[{"sku": "test-cdu", "count": 2, "hall": "hall-3"}, {"sku": "test-cdu", "count": 2}]),
        "facility.liquid.cdus[0].hall", "spec.unknown_hall", "hall-3",
    ),
    "cdus": (liquid(survive={"cdus": 2}), "facility.liquid.survive.cdus", "spec.nothing_left", "2"),
    "crahs": (air(survive={"crahs": 2}), "facility.air.survive.crahs", "spec.nothing_left", "2"),
    "second hall": (
        liquid(cdus=[{"sku": "test-cdu", "count": 2}, {"sku": "test-cdu", "count": 1, "hall": "hall-2"}]),
        "facility.liquid.survive.cdus", "spec.nothing_left", "1",
    ),
    "pumps": (liquid(survive={"pumps": 3}), "facility.liquid.survive.pumps", "spec.no_pump_left", "3"),
    "approach": (water(32.0), "facility.liquid.facility_water.supply_celsius", "spec.no_approach", "32 °C"),
    "warmer": (water(33.5), "facility.liquid.facility_water.supply_celsius", "spec.no_approach", "33.5 °C"),
    "freezing": (water(-7.5), "facility.liquid.facility_water.supply_celsius", "spec.coolant_freezes", "-7.5 °C"),
    "boiling": (liquid(delta_t_kelvin=68.0), "facility.liquid.supply_celsius", "spec.coolant_boils", "32 °C + 68 K"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_one_problem_at_the_right_field(problems, name):
    change, path, code, observed = BROKEN[name]
    (problem,) = problems(change)
    assert (problem.path, problem.code) == (path, code)
    assert observed in problem.found
    assert problem.message
    assert problem.expected
    assert problem.next_step


def test_a_site_that_freezes_at_the_racks_names_the_supply(problems):
    def change(data):
        data["facility"]["liquid"] |= {"supply_celsius": -8.0, "facility_water": None}

    (problem,) = problems(change)
    assert (problem.path, problem.code) == ("facility.liquid.supply_celsius", "spec.coolant_freezes")
    assert problem.expected == "-7 °C or more, as test-glycol freezes at -10 °C"


def test_the_last_pump_of_a_single_pump_cdu_may_fail_with_its_cdu(problems):
    assert problems(lambda data: swap(data, cdu(pumps=1, pumps_needed=1))) == []


@pytest.mark.parametrize("value", ["0", "-1", "'10'", "null"])
def test_a_rise_that_is_none_is_a_problem_with_a_line(tmp_path, example_site, value):
    data = wet_site(yaml_text.load(example_site.read_text()))
    data["facility"]["liquid"]["delta_t_kelvin"] = "VALUE"
    file = Path(tmp_path) / "site.yaml"
    file.write_text(yaml.safe_dump(data).replace("VALUE", value))
    with pytest.raises(ProblemsError) as caught:
        spec.load(file)
    paths = [problem.path for problem in caught.value.problems]
    assert "facility.liquid.delta_t_kelvin" in paths
