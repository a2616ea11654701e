from __future__ import annotations

import random
import statistics

import pytest

from rackwright import compare
from rackwright.compare.series import lowest_stretch
from rackwright.judge.limits import LimitTable
from rackwright.model.verdict import Outcome
from tests import build

GAP = float("nan")
"""What a tool prints where it has no number."""


def judged_series(values, **change):
    return compare.judge_steady(build.expectation(**change), {"GPU 3 bf16": values}, what="speed")


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
    assert compare.late_median([9, 9, 1, 3]) == 2
    assert isinstance(build.expectation(no_limits=True).limits, LimitTable)


def parts(**series):
    return compare.judge_steady(build.expectation(), series, what="speed")


@pytest.mark.parametrize(
    ("series", "outcome", "says"),
    [
        (
            [10.0] * 20 + [7.0] * 10,
            "fail",
            "a: 70.0% of its beginning; expected at least 97% (limit peers.step_share: ",
        ),
        ([10.0] * 20 + [9.6] * 10, "degraded", "a: 96.0% of its beginning; expected "),
        ([10.0] * 20 + [9.71] * 10, "pass", "97.1% (a, of 2); expected "),
        ([10.0] * 20 + [9.21] * 10, "degraded", "a: 92.1% of its beginning; expected "),
        ([10.0] * 9, "inconclusive", "fewer than 10 samples, or gaps: a; expected "),
        ([10.0] * 10, "pass", "100.0% (a, of 2); expected "),
        ([10.0] * 29 + [None], "inconclusive", "fewer than 10 samples, or gaps: a; expected "),
        ([20.0] * 7 + [10.0] * 23, "pass", "100.0% (a, of 2); expected "),
        ([20.0] * 11 + [10.0] * 19, "fail", "a: 50.0% of its beginning; expected "),
    ],
)
def test_the_sentence_of_a_series(series, outcome, says) -> None:
    finding = parts(a=series, b=[10.0] * 30)
    assert (finding.outcome, finding.unit, finding.limit) == (outcome, "share", 0.97)
    assert finding.says.startswith(f"train-001: speed {says}")


def test_the_lowest_series_decides() -> None:
    steps = {name: [10.0] * 20 + [low] * 10 for name, low in (("a", 9.5), ("b", 8.0), ("c", 9.0))}
    finding = parts(**steps, d=[10.0] * 30, e=[])
    assert finding.value == 0.8
    assert finding.outcome == Outcome.FAIL
    assert finding.observed == (
        "a: 95.0% of its beginning; b: 80.0% of its beginning; c: 90.0% of its beginning; "
        "fewer than 10 samples, or gaps: e"
    )
    assert parts(a=steps["a"], e=[]).outcome == Outcome.INCONCLUSIVE
    nothing = parts()
    assert (nothing.outcome, nothing.observed, nothing.value) == (Outcome.INCONCLUSIVE, "nothing to read", None)


@pytest.mark.parametrize(
    ("values", "middle"), [([3, 1, 2], 2), ([4, 1, 2, 9], 3), ([5], 5), ([7, 1], 4), ((n for n in (1, 9)), 5)]
)
def test_the_middle_of_values(values, middle) -> None:
    assert compare.middle(values) == middle


@pytest.mark.parametrize(("values", "late"), [([1, 2, 3], 2.5), ([1, 2, 3, 4, 5], 4), ([8], 8), ([], None)])
def test_the_second_half_of_a_series(values, late) -> None:
    assert compare.late_median(values) == late


@pytest.mark.parametrize(
    ("values", "lowest"), [([5, 1, 5, 5, 5], 5), ([5, 1, 1, 5, 5], 1), ([4, 2], 3), ([9, 9, 9, 3, 3], 3)]
)
def test_one_disturbed_value_lowers_no_stretch(values, lowest) -> None:
    assert lowest_stretch(values, 3) == lowest


def test_the_lowest_stretch_is_that_of_all_stretches_in_order() -> None:
    noise = random.Random(4)
    for count in range(1, 40):
        values = [noise.choice((1, 1.0, noise.gauss(50, 9))) for _ in range(count)]
        stretches = [values[at : at + 5] for at in range(max(1, count - 4))]
        assert lowest_stretch(values, 5) == min(statistics.median(stretch) for stretch in stretches)


@pytest.mark.parametrize(
    ("values", "mostly"), [([1, None], False), ([1, 2, None], True), ([], False), ([None, 0, 0], True)]
)
def test_more_than_half_must_be_read(values, mostly) -> None:
    assert compare.mostly_read(values) == mostly
