from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rackwright.design.availability.checkpoint import daly_interval, goodput, young_interval

HOUR = 3600
positive = st.floats(1e-3, 1e8)


def test_young_gives_the_published_intervals():
    assert young_interval(60, 10 * HOUR) == pytest.approx(2078, abs=0.5)
    assert young_interval(300, 24 * HOUR) == pytest.approx(7200)


@pytest.mark.parametrize(("hours", "minutes"), [(24, 117), (6, 57), (0.25, 9.1)])
def test_daly_gives_the_intervals_of_his_figures(hours, minutes):
    assert daly_interval(300, hours * HOUR) / 60 == pytest.approx(minutes, rel=0.006)


def test_daly_ends_at_the_mean_time():
    assert daly_interval(200, 100) == daly_interval(900, 100) == 100


@given(stall=positive, mtbi=positive)
def test_no_interval_leaves_more_than_young_to_first_order(stall, mtbi):
    best = goodput(young_interval(stall, mtbi), stall, mtbi, 0)
    assert 0 <= best <= 1
    for factor in (0.5, 0.9, 1.1, 2):
        assert goodput(factor * young_interval(stall, mtbi), stall, mtbi, 0) <= best + 1e-9
    assert goodput(daly_interval(stall, mtbi), stall, mtbi, 0) <= best + 1e-9


@given(interval=st.floats(0, 1e8), stall=st.floats(0, 1e8), mtbi=st.floats(0, 1e8), restart=st.floats(0, 1e8))
def test_goodput_is_a_share(interval, stall, mtbi, restart):
    assert 0 <= goodput(interval, stall, mtbi, restart) <= 1


def test_goodput_counts_writing_rework_and_restart():
    assert goodput(7200, 300, 86400, 600) == pytest.approx(1 - 300 / 7200 - 7200 / 172800 - 600 / 86400)
    assert goodput(60, 60, 86400, 0) == 0
