from __future__ import annotations

import polars as pl
import pytest

from rackwright.design.cabling import choose, run_meters, standard_length
from rackwright.design.placement import Place
from rackwright.errors import ProblemsError


@pytest.fixture
def place(known):
    return lambda row, position, hall="a": Place(hall, row, position, known.racks["rack-48u-1200"])


def test_within_a_rack_the_cable_runs_beside_the_devices(known, place):
    # 2 x (400 exit + 300 slack) + 10 x 44.45
    assert run_meters((place(1, 1), 10), (place(1, 1), 20), known.routing) == pytest.approx(1.8445)


def test_between_racks_it_runs_over_the_tray(known, place):
    # 1400 ends + 2 x (8 x 44.45 + 500) climb + 3 x 600 along + 1 x 2400 across
    meters = run_meters((place(1, 1), 40), (place(2, 4), 40), known.routing)
    assert meters == pytest.approx(7.3112)
    assert meters == run_meters((place(2, 4), 40), (place(1, 1), 40), known.routing)


def test_between_halls_no_route_is_known(known, place):
    assert run_meters((place(1, 1), 1), (place(1, 1, "b"), 1), known.routing) is None


@pytest.mark.parametrize(
    ("gbps", "meters", "sku"),
    [
        (400, 1.9, "mcp4y10"),
        (400, 2.1, "mma4z00"),
        (400, 51, "mms4x00"),
        (400, 9999, "mms4x00"),
        (1, 5, "cat6"),
        (100, 5, "mcp1600"),
    ],
)
def test_the_part_with_the_shortest_sufficient_reach(known, gbps, meters, sku):
    assert choose(known, gbps, meters, "fabrics[0]").sku == sku


def test_a_rate_without_a_cable(known):
    with pytest.raises(ProblemsError) as raised:
        choose(known, 77, 1, "fabrics[0]")
    assert raised.value.problems[0].code == "design.no_cable"


def test_ordered_lengths_are_standard_lengths(known):
    part = known.cables["mma4z00"]
    assert standard_length(part, 3.1) == 5
    assert standard_length(part, 5) == 5
    assert standard_length(part, 61.26) == 61.3
    assert standard_length(part, None) is None


def test_one_part_per_fabric_and_kind(example):
    parts = example.cables.group_by("fabric", "kind").agg(pl.col("sku").n_unique())
    assert set(parts["sku"]) == {1}


def test_lengths_grow_with_distance(example):
    rows = {row["cable"]: row["length_meters"] for row in example.cables.iter_rows(named=True)}
    assert rows["train-001:mlx5_0"] == 10
    assert rows["train-031:mlx5_0"] == 5
