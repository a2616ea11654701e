from __future__ import annotations

import random
from dataclasses import replace

import pytest

from rackwright import compare
from rackwright.compare.robust import spread, student
from rackwright.judge.limits import LimitTable
from rackwright.model.verdict import Outcome
from tests import build

HOT = compare.Claim("temperature", "temperature", "celsius", high=True, by="kelvin")
SLOW = compare.Claim("hbm", "memory bandwidth", "GB/s", high=False, by="share")


def fleet(values: dict[str, list[float | None]], *, rail: bool = False, **change):
    """One node per entry: its readings, in the order of its parts."""
    findings = []
    for number, (name, node_values) in enumerate(values.items(), start=1):
        expectation = replace(build.expectation(f"train-{number:03d}"), **change)
        node = replace(expectation.node, name=name)
        readings = [
            compare.Reading(f"GPU {n}", "GPU" if rail else f"GPU {n}", value, rail=f"rail {n}" if rail else "")
            for n, value in enumerate(node_values)
        ]
        findings.append((replace(expectation, node=node), readings))
    return findings


def even(nodes: int, value: float = 40.0, parts: int = 2) -> dict[str, list[float | None]]:
    noise = random.Random(3)
    return {f"n{number:02d}": [value + noise.uniform(-0.5, 0.5) for _ in range(parts)] for number in range(nodes)}


def test_alike_nodes_pass() -> None:
    findings = compare.compare_with_peers(fleet(even(12)), HOT)
    assert {finding.outcome for finding in findings.values()} == {Outcome.PASS}
    assert list(findings) == list(even(12))


@pytest.mark.parametrize(("more", "outcome"), [(3, "pass"), (9, "degraded"), (20, "fail"), (-20, "pass")])
def test_the_hot_part_is_named_and_nobody_else(more, outcome) -> None:
    values = even(16)
    values["n03"][1] += more
    findings = compare.compare_with_peers(fleet(values), HOT)
    assert findings["n03"].outcome == outcome, findings["n03"].says
    assert {finding.outcome for name, finding in findings.items() if name != "n03"} == {Outcome.PASS}
    if outcome != "pass":
        assert "GPU 1: " in findings["n03"].says
        assert "GPU 0" not in findings["n03"].says
        assert "of 16 peers" in findings["n03"].says


@pytest.mark.parametrize(("share", "outcome"), [(0.98, "pass"), (0.955, "degraded"), (0.9, "fail"), (1.1, "pass")])
def test_a_slow_part_is_held_against_the_median(share, outcome) -> None:
    values = even(16, value=2900.0)
    values["n05"][0] = 2900.0 * share
    assert compare.compare_with_peers(fleet(values), SLOW)["n05"].outcome == outcome


def test_up_to_half_of_the_nodes_may_be_bad() -> None:
    values = even(16)
    for name in list(values)[:6]:
        values[name][0] += 25
    findings = compare.compare_with_peers(fleet(values), HOT)
    assert [name for name, finding in findings.items() if finding.outcome == Outcome.FAIL] == list(values)[:6]


def test_equal_readings_leave_only_what_matters() -> None:
    values = {f"n{number}": [40.0] for number in range(8)} | {"n9": [45.0]}
    assert compare.compare_with_peers(fleet(values), HOT)["n9"].outcome == Outcome.PASS
    values["n9"] = [47.0]
    assert compare.compare_with_peers(fleet(values), HOT)["n9"].outcome == Outcome.DEGRADED


def test_too_few_peers_are_no_comparison() -> None:
    findings = compare.compare_with_peers(fleet(even(7)), HOT)
    assert {finding.outcome for finding in findings.values()} == {Outcome.NOT_RUN}
    assert "fewer than 8 like it were read" in findings["n00"].says


def test_a_missing_reading_is_inconclusive_unless_another_part_fails() -> None:
    values = even(10)
    values["n01"][0] = None
    values["n02"] = [None, 90.0]
    values["n03"] = []
    findings = compare.compare_with_peers(fleet(values), HOT)
    assert [findings[name].outcome for name in ("n01", "n02", "n03")] == ["inconclusive", "fail", "inconclusive"]


def test_without_limits_nothing_is_compared() -> None:
    findings = compare.compare_with_peers(fleet(even(9), limits=LimitTable((), ())), HOT)
    assert {finding.outcome for finding in findings.values()} == {Outcome.INCONCLUSIVE}
    assert compare.compare_with_peers([], HOT) == {}


def test_a_rack_that_is_hot_as_a_whole_is_named() -> None:
    noise = random.Random(5)
    node_values = []
    for rack in range(9):
        for expectation, readings in fleet(
            {f"r{rack}n{n}": [40 + noise.gauss(0, 1) + 8 * (rack == 4)] for n in range(4)}
        ):
            node_values.append((replace(expectation, places={"rack": f"rack-{rack}"}), readings))
    findings = compare.compare_with_peers(node_values, HOT)
    bad = {name for name, finding in findings.items() if finding.outcome != Outcome.PASS}
    assert bad == {f"r4n{n}" for n in range(4)}
    assert "rack rack-4 as a whole stands out among 9" in findings["r4n0"].says


def test_a_rail_that_is_slow_on_every_node_is_named() -> None:
    noise = random.Random(7)
    values = {
        f"n{n:02d}": [390 * (0.85 if rail == 5 else 1) + noise.gauss(0, 1) for rail in range(8)] for n in range(12)
    }
    findings = compare.compare_with_peers(
        fleet(values, rail=True), replace(SLOW, reading="rail bandwidth", unit="Gb/s")
    )
    assert all(finding.outcome == Outcome.FAIL for finding in findings.values())
    assert "rail rail 5 as a whole stands out among 8" in findings["n00"].says
    assert "rail 4" not in findings["n00"].says


@pytest.mark.parametrize(
    ("chance", "freedom", "value"),
    [(0.025, 10, 2.2281), (0.0005, 3, 12.924), (0.005, 2, 9.9248), (0.25, 1, 1.0), (0.000001, 30, 5.871)],
)
def test_quantiles_of_student_are_those_of_the_tables(chance, freedom, value) -> None:
    assert student(chance, freedom) == pytest.approx(value, rel=1e-3)


@pytest.mark.parametrize("parts", [8, 16, 64, 256])
def test_a_healthy_fleet_is_accused_no_more_often_than_is_said(parts) -> None:
    noise = random.Random(parts)
    alarms, fleets, chance = 0, 4000 if parts < 64 else 600, 0.05
    for _ in range(fleets):
        values = [noise.gauss(0, 1) for _ in range(parts)]
        node_values = spread(values)
        alarms += max(values) - node_values.middle > node_values.distance(chance / parts)
    assert alarms / fleets <= chance * 1.3
