from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from rackwright.base.errors import ProblemsError
from rackwright.design.cabling import FloorPositions, choose, run_meters, standard_lengths


def floor(*places, between=np.nan):
    """Places as row, position, hall and unit in a rack of 48 units of 600 mm, rows 2,400 mm apart."""
    row, position, hall, unit = (np.array(column) for column in zip(*places, strict=True))
    rack = np.unique(np.stack([row, position, hall]), axis=1, return_inverse=True)[1].reshape(-1)
    routes = np.array([[0, between], [between, 0]])
    return FloorPositions(rack, hall, position * 600.0, row * 2400.0, (48 - unit) * 44.45, unit * 44.45, routes)


def meters(parts_catalog, *places, **change):
    return run_meters(floor(*places, **change), np.array([0]), np.array([1]), parts_catalog.routing)[0]


def test_within_a_rack_the_cable_runs_beside_the_devices(parts_catalog):
    # 2 x (400 exit + 300 slack) + 10 x 44.45
    assert meters(parts_catalog, (1, 1, 0, 10), (1, 1, 0, 20)) == pytest.approx(1.8445)


def test_between_racks_it_runs_over_the_tray(parts_catalog):
    # 1400 ends + 2 x (8 x 44.45 + 500) climb + 3 x 600 along + 1 x 2400 across
    there = meters(parts_catalog, (1, 1, 0, 40), (2, 4, 0, 40))
    assert there == pytest.approx(7.3112)
    assert there == meters(parts_catalog, (2, 4, 0, 40), (1, 1, 0, 40))


def test_between_halls_it_runs_over_the_declared_route(parts_catalog):
    assert np.isnan(meters(parts_catalog, (1, 1, 0, 1), (1, 1, 1, 1)))
    # 1400 ends + 2 x 2589.15 climb + 2 x (600 along + 2400 across) + 50,000 of route
    assert meters(parts_catalog, (1, 1, 0, 1), (1, 1, 1, 1), between=50.0) == pytest.approx(62.5783)


@pytest.mark.parametrize(
    ("switch", "gbps", "meters", "sku"),
    [
        ("qm9700", 400, 1.9, "mcp4y10"),
        ("qm9700", 400, 2.1, "mma4z00"),
        ("qm9700", 400, 51, "mms4x00-ns"),
        ("qm9700", 400, 101, "mms4x00"),
        ("qm9700", 400, 99999, "mms4x90"),
        ("sn2201", 1, 5, "cat6"),
        ("sn4600c", 100, 5, "mcp1600"),
    ],
)
def test_the_part_with_the_shortest_sufficient_reach(parts_catalog, switch, gbps, meters, sku):
    assert choose(parts_catalog, gbps, meters, "fabrics[0]", parts_catalog.switches[switch]).sku == sku


def test_a_rate_without_a_cable(parts_catalog):
    with pytest.raises(ProblemsError) as raised:
        choose(parts_catalog, 77, 1, "fabrics[0]")
    assert raised.value.problems[0].code == "design.no_cable"


def test_ordered_lengths_are_standard_lengths(parts_catalog):
    part = parts_catalog.cables["mma4z00"]
    assert list(standard_lengths(part, np.array([3.1, 5, 61.26]))) == [5, 5, 61.3]
    assert np.isnan(standard_lengths(part, np.array([np.nan]))[0])


def test_one_part_per_fabric_and_kind(example):
    parts = example.cables.group_by("fabric", "kind").agg(pl.col("sku").n_unique())
    assert set(parts["sku"]) == {1}


def test_lengths_grow_with_distance(example):
    rows = {row["cable"]: row["length_meters"] for row in example.cables.iter_rows(named=True)}
    assert rows["train-001:mlx5_0"] == 10
    assert rows["train-031:mlx5_0"] == 5
