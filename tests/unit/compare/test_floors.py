from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rackwright import compare
from rackwright.judge.limits import LimitTable
from rackwright.model.verdict import Outcome
from tests import build

POLICY = [
    build.limit("policy.floor_share", value=0.92, unit="share"),
    build.limit("policy.warn_share", value=0.96, unit="share"),
]


def expectation(*rows, policy=POLICY, fleet=()):
    limits, baselines = (
        LimitTable((), tuple(build.row(expected) for expected in some)) for some in ((*rows, *policy), fleet)
    )
    return replace(build.expectation(), limits=limits, baselines=baselines if fleet else None)


def row(**change):
    return build.limit("bus", **{"value": 500, "unit": "GB/s", "kind": "measured", "source": "a report"} | change)


def judged(readings, *rows, **change):
    return compare.at_least(
        expectation(*rows, **change), readings, "bus", what="bus bandwidth", collective="all_reduce"
    )


@pytest.mark.parametrize(
    ("value", "outcome"),
    [
        (461, "degraded"),
        (459, "fail"),
        (479, "degraded"),
        (481, "pass"),
        (900, "pass"),
        (None, "inconclusive"),
        (float("nan"), "inconclusive"),
    ],
)
def test_a_measurement_has_one_tolerance_from_the_policy(value, outcome) -> None:
    assert judged({"": value}, row()).outcome == outcome


@pytest.mark.parametrize("kind", ["operator", "vendor", "derived"])
def test_a_floor_that_somebody_uses_is_used_as_it_is(kind) -> None:
    assert judged({"": 499}, row(kind=kind)).outcome == Outcome.FAIL
    assert judged({"": 500}, row(kind=kind)).outcome == Outcome.PASS


def test_the_sentence_says_measurement_share_and_source() -> None:
    finding = judged({"GPU 1": 440.0, "GPU 0": 490.0}, row())
    assert finding.says == (
        "train-001: bus bandwidth GPU 1: 440 GB/s; expected at least 460 GB/s (92% of 500 measured) "
        "(limit bus: a report, 2026-01-01)"
    )
    assert (finding.value, finding.limit, finding.unit, finding.metric) == (440.0, 460.0, "GB/s", "bus")
    assert finding.key == {"collective": "all_reduce"}


def test_a_pass_carries_the_lowest_reading() -> None:
    finding = judged({"GPU 0": 490.0, "GPU 1": 485.0}, row())
    assert (finding.outcome, finding.value, "GPU 1, of 2" in finding.says) == (Outcome.PASS, 485.0, True)


def test_a_missing_reading_is_worse_than_a_slow_one_and_better_than_a_failed_one() -> None:
    assert judged({"GPU 0": 470, "GPU 1": None}, row()).outcome == Outcome.INCONCLUSIVE
    assert judged({"GPU 0": 400, "GPU 1": None}, row()).outcome == Outcome.FAIL
    assert "no reading of GPU 1" in judged({"GPU 0": 400, "GPU 1": None}, row()).says
    assert judged({}, row()).outcome == Outcome.INCONCLUSIVE


def test_without_a_row_or_without_the_policy_nothing_is_judged() -> None:
    assert judged({"": 900}).outcome == Outcome.INCONCLUSIVE
    assert judged({"": 900}, row(match={"collective": "all_gather"})).outcome == Outcome.INCONCLUSIVE
    assert judged({"": 900}, row(), policy=POLICY[:1]).outcome == Outcome.INCONCLUSIVE


@pytest.mark.parametrize(("value", "outcome"), [(10.0, "pass"), (10.5, "degraded"), (11.0, "fail")])
def test_a_time_is_held_against_a_ceiling(value, outcome) -> None:
    expected = expectation(row(value=10, unit="us"))
    assert compare.at_most(expected, {"": value}, "bus", what="latency").outcome == outcome


def test_what_the_fleet_measured_is_shown_and_decides_nothing() -> None:
    fleet = [row(value=900, samples=31)]
    finding = judged({"": 490}, row(), fleet=fleet)
    assert finding.outcome == Outcome.PASS
    assert "fleet median 900 GB/s of 31 nodes" in finding.expected


def test_a_node_is_asked_for_by_model_and_count() -> None:
    assert judged({"": 490}, row(match={"accelerator": "h100-sxm", "accelerators": "8"})).outcome == Outcome.PASS
    assert judged({"": 490}, row(match={"accelerator": "h100-sxm", "accelerators": "4"})).outcome != Outcome.PASS


SOURCE = "(limit bus: a report, 2026-01-01)"


@pytest.mark.parametrize(
    ("readings", "says"),
    [
        ({"a": 490.0}, "490 GB/s; expected at least 460 GB/s (92% of 500 measured)"),
        ({"a": 490.0, "b": 485.5}, "485.5 GB/s (b, of 2); expected at least 460 GB/s (92% of 500 measured)"),
        ({"a": 470.0, "b": 400.0, "c": 490.0}, "a: 470 GB/s; b: 400 GB/s; expected "),
        ({"a": 490.0, "b": None, "c": None}, "490 GB/s; no reading of b, c; expected "),
        ({"a": 470.0, "b": None}, "a: 470 GB/s; no reading of b; expected "),
        ({"a": None}, "no reading of a; expected "),
        ({}, "nothing to read; expected "),
    ],
)
def test_sentences(readings, says) -> None:
    finding = judged(readings, row())
    assert finding.says.startswith(f"train-001: bus bandwidth {says}")
    assert finding.says.endswith(SOURCE)
    numbers = [reading for reading in readings.values() if reading is not None]
    assert finding.value == min(numbers, default=None)
    assert finding.outcome == judged(dict(reversed(readings.items())), row()).outcome


@pytest.mark.parametrize(
    ("bound", "value", "outcome"),
    [
        (500, 480.0, "pass"),
        (500, 479.9, "degraded"),
        (500, 460.0, "degraded"),
        (500, 459.9, "fail"),
        (1000, 960.0, "pass"),
        (1000, 920.0, "degraded"),
    ],
)
def test_edges_of_the_tolerance(bound, value, outcome) -> None:
    assert judged({"a": value, "b": 2000.0}, row(value=bound)).outcome == outcome


@pytest.mark.parametrize(
    ("value", "outcome"), [(104.1, "pass"), (104.2, "degraded"), (108.6, "degraded"), (108.7, "fail"), (0.0, "pass")]
)
def test_edges_of_the_tolerance_of_a_time(value, outcome) -> None:
    finding = compare.at_most(expectation(row(value=100, unit="us")), {"a": value, "b": 1.0}, "bus", what="latency")
    assert finding.outcome == outcome
    assert finding.value == max(value, 1.0)
    assert finding.expected == "at most 108.7 us (109% of 100 measured)"


def test_a_bound_that_is_used_as_it_is_has_no_share() -> None:
    assert judged({"a": 500.0}, row(kind="vendor")).expected == "at least 500 GB/s"
    finding = compare.at_most(expectation(row(value=10, unit="us", kind="vendor")), {"a": 10.5}, "bus", what="latency")
    assert (finding.outcome, finding.expected, finding.limit) == (Outcome.FAIL, "at most 10 us", 10)


def test_the_limit_that_is_missing_is_named_with_its_key() -> None:
    finding = compare.at_least(expectation(), {"a": 1.0}, "bus", what="", size="1GiB", collective="all_reduce")
    assert finding.says.startswith("train-001: no limit for bus collective all_reduce, size 1GiB on ")
    assert compare.at_least(expectation(), {}, "bus", what="").expected == "a row for bus"


def test_the_finding_carries_the_key_of_its_limit() -> None:
    finding = judged({"a": 490.0}, row(match={"server": "dgx-h100"}))
    assert finding.key == {"server": "dgx-h100", "collective": "all_reduce"}


def test_what_another_fleet_measured_is_not_shown() -> None:
    fleet = [row(value=900, samples=31, match={"collective": "all_gather"})]
    assert "fleet median" not in judged({"a": 490}, row(), fleet=fleet).expected
    fleet = [row(value=900, samples=31, match={"collective": "all_reduce", "server": "dgx-h100"})]
    assert judged({"a": 490}, row(), fleet=fleet).expected.endswith("; fleet median 900 GB/s of 31 nodes")


@given(st.floats(0, 1000), st.floats(0, 500), st.booleans())
def test_a_better_reading_is_never_judged_worse(value, better, upper) -> None:
    compared = compare.at_most if upper else compare.at_least
    order = [Outcome.PASS, Outcome.DEGRADED, Outcome.FAIL]
    before, after = (
        order.index(compared(expectation(row()), {"a": reading}, "bus", what="").outcome)
        for reading in (value, value - better if upper else value + better)
    )
    assert after <= before
