"""The figures that are published are those that the benchmark stored, and the code still plays the same."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from rackwright.isolate import search_settings, simulate
from rackwright.judge.limits import load

ROOT = Path(__file__).parents[3]
OURS = "rackwright"
FAST = 1100
"""Nodes up to which a search is replayed here."""


@pytest.fixture
def benchmark(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    return lambda name: importlib.import_module(f"isolating.{name}")


@pytest.fixture
def result(benchmark):
    return benchmark("result")


def test_the_page_is_made_of_the_stored_rows(benchmark):
    page = benchmark("page")
    assert page.PAGE.read_text(encoding="utf-8") == page.page()


def test_an_interval_of_a_share_holds_it(benchmark):
    """Nothing in 1,000 is below 0.4 % (Wilson 1927), and 95 of 100 is above 88.8 %."""
    interval = benchmark("interval")
    assert interval.upper(0.0, 1000) == pytest.approx(0.0038, abs=1e-4)
    assert interval.lower(0.95, 100) == pytest.approx(0.888, abs=1e-3)


def test_goals_hold_in_the_stored_rows(result):
    ours = {(row.nodes, row.faulty): row for row in result.stored() if row.strategy == OURS}
    assert ours[232, 5].tests <= 40
    assert ours[232, 5].rounds <= 7
    for row in ours.values():
        assert row.blamed <= 0.001
        assert row.missed <= 0.01


def test_the_first_fleets_of_each_row_are_played_again_as_they_are_stored(result):
    names = search_settings(load())
    for row in (entry for entry in result.stored() if entry.strategy == OURS and entry.nodes <= FAST):
        for seed, figures in enumerate(row.first):
            again = simulate(row.nodes, row.faulty, names, seed=seed)
            assert (again.tests, again.rounds, again.tested, again.wrong, again.missed) == figures
