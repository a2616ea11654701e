from __future__ import annotations

import random

import pytest

from rackwright import compare
from rackwright.judge.limits import LimitTable
from rackwright.model.verdict import Outcome
from tests import build

GAP = float("nan")
"""What a tool prints where it has no number."""


def judged_series(values, **change):
    return compare.holds(build.expectation(**change), {"GPU 3 bf16": values}, what="speed")


def steady(count: int = 40) -> list[float]:
    noise = random.Random(1)
    return [750 + noise.gauss(0, 4) for _ in range(count)]


def test_a_steady_series_passes() -> None:
    assert judged_series(steady()).outcome == Outcome.PASS


@pytest.mark.parametrize(("share", "outcome"), [(0.95, "degraded"), (0.8, "fail"), (1.1, "pass")])
def test_a_step_is_found_and_the_part_is_named(share, outcome) -> None:
    series = steady()
    finding = judged_series(series[:25] + [value * share for value in series[25:]])
    assert finding.outcome == outcome, finding.says
    assert "GPU 3 bf16" in finding.says


def test_a_slow_decline_is_found() -> None:
    assert judged_series([value * (1 - 0.004 * n) for n, value in enumerate(steady())]).outcome == Outcome.FAIL


def test_a_dip_in_the_middle_is_found() -> None:
    series = steady()
    assert judged_series(series[:15] + [value * 0.7 for value in series[15:27]] + series[27:]).outcome == Outcome.FAIL


def test_one_disturbed_sample_is_no_finding() -> None:
    series = steady()
    series[20] = 10.0
    assert judged_series(series).outcome == Outcome.PASS


@pytest.mark.parametrize(
    "series", [[], steady(9), [*steady()[:20], None, *steady()[21:]], [0.0] * 20, [*steady()[:30], GAP]]
)
def test_what_cannot_be_told_is_inconclusive(series) -> None:
    assert judged_series(series).outcome == Outcome.INCONCLUSIVE


def test_without_limits_nothing_is_told() -> None:
    assert judged_series(steady(), no_limits=True).outcome == Outcome.INCONCLUSIVE
    assert compare.middle([]) is None
    assert compare.middle([1, None]) is None
    assert compare.middle([1, GAP, 3]) is None
    assert compare.middle([None]) is None
    assert compare.late([9, 9, 1, 3]) == 2
    assert isinstance(build.expectation(no_limits=True).limits, LimitTable)
