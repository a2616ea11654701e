"""The published figures come out of the published counts."""

from __future__ import annotations

import pytest

from rackwright.catalog import failure_rates
from rackwright.design.availability.interruptions import Counts, counts_of, estimates, mtbi_hours, per_day, reference

RATES = failure_rates.load()
LLAMA = RATES.run("llama3-405b")


def by_basis(accelerators):
    result = estimates(Counts(accelerators, accelerators, accelerators / 8), RATES, LLAMA)
    return {entry["basis"].partition(":")[0]: entry["mtbi_hours"] for entry in result}


def test_llama3_is_interrupted_as_counted():
    daily = per_day(counts_of(LLAMA), LLAMA)
    assert sum(daily.values()) * 54 == pytest.approx(419)
    assert mtbi_hours(sum(daily.values())) == pytest.approx(3.09, abs=0.005)
    assert 1000 * sum(daily.values()) / 2048 == pytest.approx(3.79, abs=0.005)
    assert daily["accelerator"] * 54 == pytest.approx(268)


def test_rsc1_gives_the_hours_of_the_paper():
    assert by_basis(16_384)["rsc-1"] == pytest.approx(1.8, abs=0.005)
    assert by_basis(131_072)["rsc-1"] == pytest.approx(0.225, abs=0.0005)
    assert by_basis(1_024)["rsc-1"] == pytest.approx(28.8, abs=0.05)


def test_what_was_measured_stands_beside_what_is_modelled():
    result = by_basis(1_024)
    assert result["measured on jobs of 1024 accelerators"] == 7.9
    assert min(result.values()) == 7.9
    assert "measured on jobs of 1024 accelerators" not in by_basis(16_384)


def test_estimates_come_shortest_first_and_scale_with_the_job():
    hours = [estimate["mtbi_hours"] for estimate in estimates(Counts(512, 512, 64), RATES, LLAMA)]
    assert hours == sorted(hours)
    assert by_basis(512)["rsc-2"] == pytest.approx(2 * by_basis(1_024)["rsc-2"])
    assert estimates(Counts(0, 0, 0), RATES, LLAMA) == []
    assert mtbi_hours(0) is None


def test_rates_of_an_accelerator_without_a_run_are_those_of_the_first():
    assert reference(RATES, "mi300x") is RATES.runs[0]
    assert reference(RATES, None) is RATES.runs[0]
