"""Slow parts out of burn series: a healthy fleet is accused no more often than `peers.false_alarms` says, a slow part is found.

The series are as those that tools record: neighbouring samples are alike, clocks sink a little while heat builds up, and single
samples fall out (gpu-fryer's README prints 50.6 to 51.7 TFLOPS around 51.5 for a good part: 0.4 % of noise, single dips of 2 %).
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from rackwright import compare, judge
from rackwright.model.verdict import Outcome
from tests import build

PARTS = 64
FLEETS = 200
STATED = float(str(judge.load_limits().find("peers.false_alarms").value))
NOISE, ALIKE, DRIFT, SPREAD, DIPS, DIP = 0.004, 0.7, 0.01, 0.005, 0.01, 0.02
"""Noise of samples, how much of it a sample shares with the one before, decline while heat builds up, differences between
good parts, how often a single sample dips, and how far."""
PRODUCTS = compare.Claim("matrix products", "matrix products", "TFLOPS", high=False, by="share")


def series(chance: random.Random, samples: int, level: float = 730.0) -> list[float]:
    """What a good part records."""
    center = level * chance.gauss(1, SPREAD)
    drift, wave, values = chance.uniform(0, DRIFT), 0.0, []
    for at in range(samples):
        wave = ALIKE * wave + chance.gauss(0, NOISE * (1 - ALIKE**2) ** 0.5)
        dip = DIP if chance.random() < DIPS else 0.0
        values.append(center * (1 + wave - dip - drift * (1 - 2.718 ** (-4 * at / samples))))
    return values


def steady(fleet: dict[str, list[float]]):
    return compare.judge_steady(build.expectation(), fleet, what="burn")


@pytest.mark.parametrize("samples", [10, 24, 60])
def test_a_healthy_fleet_is_not_called_unsteady(samples: int) -> None:
    chance = random.Random(samples)
    alarms = 0
    for _ in range(FLEETS):
        fleet = {f"GPU {n}": series(chance, samples) for n in range(PARTS)}
        alarms += steady(fleet).outcome != Outcome.PASS
    assert alarms / FLEETS <= STATED


@pytest.mark.parametrize("samples", [24, 60])
@pytest.mark.parametrize("kind", ["step", "decline", "hole"])
def test_a_part_that_loses_a_twentieth_is_found_and_named(kind: str, samples: int) -> None:
    chance, detected = random.Random(f"{kind} {samples}"), 0
    for _ in range(FLEETS):
        fleet = {f"GPU {n}": series(chance, samples) for n in range(8)}
        slow = fleet["GPU 5"]
        for at in range(samples):
            where = at / samples
            lost = {
                "step": 0.05 if where >= 0.6 else 0,
                "decline": 0.08 * where,
                "hole": 0.05 if 0.4 <= where < 0.7 else 0,
            }
            slow[at] *= 1 - lost[kind]
        findings = steady(fleet)
        detected += (
            findings.outcome != Outcome.PASS and "GPU 5: " in findings.observed and "GPU 4: " not in findings.observed
        )
    assert detected / FLEETS >= 0.99


def beside(values: dict[str, float]):
    fleet = []
    for name, value in values.items():
        expectation = build.expectation()
        named = replace(expectation, node=replace(expectation.node, name=name))
        fleet.append((named, [compare.Reading("GPU 0 bf16", "bf16 16384", value)]))
    return compare.compare_with_peers(fleet, PRODUCTS)


def test_medians_of_healthy_series_accuse_nobody_more_often_than_stated() -> None:
    chance, alarms = random.Random(3), 0
    for _ in range(FLEETS):
        values = {f"n{n:02d}": compare.middle(series(chance, 24)) or 0.0 for n in range(PARTS)}
        alarms += any(finding.outcome != Outcome.PASS for finding in beside(values).values())
    assert alarms / FLEETS <= STATED


def test_a_node_that_is_a_twentieth_slower_is_found_beside_its_peers() -> None:
    chance, detected = random.Random(4), 0
    for _ in range(FLEETS):
        values = {f"n{n:02d}": compare.middle(series(chance, 24)) or 0.0 for n in range(PARTS)}
        values["n17"] *= 0.95
        bad = [name for name, finding in beside(values).items() if finding.outcome != Outcome.PASS]
        detected += bad == ["n17"]
    assert detected / FLEETS >= 0.99
