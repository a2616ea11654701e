"""Whatever stands in the racks and whatever plant there is: heat is conserved, and less plant never cools more."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rackwright.design.cooling import Media, heat, of_part
from rackwright.design.cooling.capacity import capacity_watts
from rackwright.design.cooling.plant import CoolingLoop, CoolingUnit
from rackwright.design.cooling.remaining_capacity import remaining_capacity, worst, worst_units
from rackwright.design.cooling.table import rows
from rackwright.model.plant import Capacity
from rackwright.model.sku import Server
from tests.unit.design.cooling.parts import wet_server

AMOUNT = st.floats(0, 1e7, allow_nan=False)
SOME = st.floats(1, 1e7, allow_nan=False)


@st.composite
def units(draw):
    count = draw(st.integers(1, 6))
    pumps = draw(st.integers(1, 4))
    return tuple(
        CoolingUnit(f"u{i}", "x", draw(SOME), draw(SOME), 1, pumps, draw(st.integers(1, pumps))) for i in range(count)
    )


@st.composite
def plants(draw):
    racks = draw(st.integers(1, 12))
    watts = np.array(draw(st.lists(SOME, min_size=racks, max_size=racks)))
    flows = np.array(draw(st.lists(SOME, min_size=racks, max_size=racks)))
    fleet = draw(units())
    survive = draw(st.integers(0, len(fleet)))
    return CoolingLoop("l", "cdu", "h", fleet, survive, 1, tuple(f"r{i}" for i in range(racks)), watts, flows)


servers = st.builds(
    lambda sku, watts, share, flow, air: Server.model_validate(
        wet_server(peak_watts=watts, airflow_cfm=air)
        | {
            "sku": sku,
            "liquid": {"share": share, "max_supply_celsius": 45.0, "liters_per_minute": flow} if share else None,
        }
    ),
    st.text("abc", min_size=1, max_size=8),
    st.integers(1, 200_000),
    st.none() | st.floats(0.01, 1),
    st.none() | st.floats(0, 500),
    st.integers(0, 5000),
)


@given(st.lists(servers, max_size=8, unique_by=lambda loss: loss.sku), st.floats(0, 0.01), st.floats(0, 1))
def test_heat_is_the_load(parts, liters, cfm):
    through = Media(liters, cfm)
    total = heat([*parts, *parts], through)
    assert total.liquid_watts + total.air_watts == 2 * sum(part.peak_watts for part in parts)
    assert total == heat([*reversed(parts), *parts], through)
    for part in parts:
        entry = of_part(part, through)
        assert entry.liquid_watts >= 0
        assert entry.air_watts >= 0
        assert entry.coolant_liters_per_minute >= entry.liquid_watts * liters


@given(plants(), st.data())
def test_less_plant_never_cools_more(loop, data):
    full = remaining_capacity(loop)
    lost = data.draw(st.sets(st.sampled_from([unit.name for unit in loop.units])))
    more = data.draw(st.sets(st.sampled_from([unit.name for unit in loop.units]))) | lost
    some, fewer = remaining_capacity(loop, lost), remaining_capacity(loop, more)
    for better, poorer in ((full, some), (some, fewer)):
        assert poorer.watts <= better.watts
        assert poorer.flow <= better.flow
        assert poorer.share <= better.share
        assert set(better.racks_down) <= set(poorer.racks_down)
    pumps = remaining_capacity(loop, pumps={loop.units[0].name: 1})
    assert pumps.watts <= full.watts
    assert set(remaining_capacity(loop, [loop.units[0].name]).racks_down) >= set(pumps.racks_down)


@given(plants(), st.data())
def test_no_loss_of_so_many_units_is_worse_than_the_worst(loop, data):
    count = data.draw(st.integers(0, len(loop.units)))
    lost = data.draw(st.permutations([unit.name for unit in loop.units]))[:count]
    assert len(worst_units(loop, count)) == count
    assert set(worst(loop, count).racks_down) >= set(remaining_capacity(loop, lost).racks_down)
    assert set(remaining_capacity(loop, worst_units(loop, count)).racks_down) >= set(
        remaining_capacity(loop, lost).racks_down
    )
    assert set(worst(loop, count).racks_down) == set(remaining_capacity(loop, worst_units(loop, count)).racks_down)


@given(plants())
def test_shares_of_units_add_up_to_the_load(loop):
    table = rows([loop])
    assert np.isclose(table["load_watts"].sum(), loop.load_watts, rtol=1e-6, atol=0.01)
    assert np.isclose(table["flow"].sum(), loop.load_flow, rtol=1e-6, atol=0.01)
    assert (table["worst_watts"] >= table["load_watts"] - 1e-6).all()
    assert (table["worst_flow"] >= table["flow"] - 1e-6).all()


@given(
    st.lists(st.tuples(st.floats(0.5, 20), st.floats(1, 5000)), min_size=1, max_size=5),
    st.floats(-5, 40),
    st.floats(0, 5),
)
def test_capacity_rises_with_the_approach_and_ends_at_the_nameplate(points, approach, more):
    rising = sorted({round(kelvin, 2) for kelvin, _ in points})
    kilowatts = sorted(kw for _, kw in points)
    capacities = [Capacity(approach_kelvin=kelvin, kw=kw) for kelvin, kw in zip(rising, kilowatts, strict=False)]
    less, greater = capacity_watts(capacities, approach), capacity_watts(capacities, approach + more)
    assert 0 <= less <= greater * (1 + 1e-9)
    assert greater <= max(capacity.kw for capacity in capacities) * 1000
