"""CDU capacity at the design approach, and the pipe of a loop."""

from __future__ import annotations

import pytest

from rackwright import catalog
from rackwright.design.cooling.capacity import approach_kelvin, capacity_watts
from rackwright.design.cooling.pipes import size_header
from rackwright.model.facility import CduSet, FacilityWater, Liquid
from rackwright.model.plant import Capacity
from tests.unit.design.cooling.parts import coolant

POINTS = [Capacity(approach_kelvin=4, kw=1350), Capacity(approach_kelvin=2, kw=600)]


@pytest.mark.parametrize(
    ("approach", "kilowatts"),
    [(4, 1350), (2, 600), (3, 975), (1, 300), (0, 0), (-3, 0), (4.001, 1350), (12, 1350)],
)
def test_between_approaches_but_never_beyond(approach, kilowatts):
    assert capacity_watts(POINTS, approach) == pytest.approx(kilowatts * 1000)


def test_a_nameplate_at_a_wider_approach_is_no_capacity(parts_catalog):
    cdu = parts_catalog.cdus["chx2000"]
    assert capacity_watts(cdu.capacities, 4) < capacity_watts(cdu.capacities, 5) == 2_000_000


def liquid(**change):
    fields = {"cdus": [CduSet(sku="chx2000", count=2)], "supply_celsius": 32.0, "delta_t_kelvin": 10.0}
    return Liquid(**(fields | change))


def test_approach():
    assert approach_kelvin(liquid(facility_water=FacilityWater(supply_celsius=27.5, delta_t_kelvin=8.0))) == 4.5
    assert approach_kelvin(liquid()) == 4


def fluid(**change):
    return catalog.validate_part(coolant(**change))


def test_twelve_nvl72_racks_need_about_dn150():
    assert size_header(12 * 172, fluid(), 20).pipe == "DN150"
    assert size_header(12 * 172, fluid(), 20).meters_per_s <= 2.4


def test_more_than_the_thickest_pipe_are_several():
    entry = size_header(100_000, fluid(), 100)
    assert entry.pipe == "DN600"
    assert entry.count == 3
    assert entry.meters_per_s <= 2.4


def test_friction_is_that_of_the_moody_chart():
    """Water at 2 m/s in 161.5 mm: Re 403,000, f about 0.0145 on smooth steel, 180 Pa per metre."""
    water = fluid(density_kg_per_m3=997.0, viscosity_mpa_s=0.8)
    flow = 2.0 * 3.14159 * 0.1615**2 / 4 * 60_000
    assert size_header(flow, water, 100).pressure_kpa == pytest.approx(17.9, rel=0.05)
    assert size_header(0, water, 100).pressure_kpa == 0
    assert size_header(1, water, 100).pressure_kpa == 0.1, "laminar: 128 mu L Q / (pi D^4) is 90 Pa"
    assert size_header(flow, fluid(viscosity_mpa_s=None), 100).pressure_kpa is None
