from __future__ import annotations

from dataclasses import replace

import pytest

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
