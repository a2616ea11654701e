"""The published tables of storage performance come out of the rule."""

from __future__ import annotations

import pytest

from rackwright.design.storage.guideline import guideline, node_guideline, node_reached, published, reached
from rackwright.design.storage.study import Rates

H100 = [
    (1, "good", 15, 7),
    (1, "better", 40, 20),
    (1, "best", 125, 62),
    (4, "good", 60, 30),
    (4, "better", 160, 80),
    (4, "best", 500, 250),
]
"""Scalable units, level, read, write GB/s: NVIDIA RA-11333-001 V11, table 6."""
GB200 = [(1, "standard", 40, 20), (4, "standard", 160, 80), (1, "enhanced", 125, 62), (4, "enhanced", 500, 250)]
"""NVIDIA DGX SuperPOD reference architecture, DGX GB200."""
NODE = [("good", 4, 2), ("better", 8, 4), ("best", 40, 20)]


def rates(read: float, write: float) -> Rates:
    return Rates(read_gbytes_per_s=read, write_gbytes_per_s=write)


@pytest.mark.parametrize(("units", "level", "read", "write"), H100)
def test_scalable_units_of_dgx_h100(units, level, read, write):
    assert guideline(units, level) == rates(read, write)


@pytest.mark.parametrize(("units", "level", "read", "write"), GB200)
def test_scalable_units_of_gb200(units, level, read, write):
    assert guideline(units, level, published("gb200-nvl72")) == rates(read, write)


@pytest.mark.parametrize(("level", "read", "write"), NODE)
def test_nodes(level, read, write):
    assert node_guideline(level) == rates(read, write)
    assert node_reached(rates(read, write)) == level


def test_other_numbers_of_units_follow_by_proportion():
    assert guideline(2, "best") == rates(250, 125)
    assert guideline(3, "good") == rates(45, 22)
    assert guideline(64, "better") == rates(2560, 1280)


def test_the_level_reached_is_the_highest_that_both_rates_meet():
    assert reached(rates(160, 80), 4) == "better"
    assert reached(rates(500, 79), 4) == "good"
    assert reached(rates(59, 30), 4) is None
    assert reached(rates(500, 250), 4, "gb200-nvl72") == "enhanced"
    assert node_reached(rates(40, 20), "gb200-nvl72") is None


def test_an_unpublished_level_is_refused():
    assert published("dgx-b200") == "dgx-h100"
    with pytest.raises(KeyError, match="superb"):
        guideline(1, "superb")
