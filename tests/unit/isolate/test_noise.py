from dataclasses import replace

import numpy as np
import pytest

from rackwright.isolate import Noise

NOISE = Noise(sigma=0.015, weakest=0.1, disturbed=0.001, steady=0.8)


def weight(reading):
    good, bad = NOISE.evidence(reading)
    return bad - good


@pytest.mark.parametrize("reading", [1.0, 0.99, 1.02])
def test_what_good_parts_reach_speaks_for_them(reading):
    assert weight(reading) < -4


@pytest.mark.parametrize("reading", [0.88, 0.5, 0.02])
def test_what_is_lost_speaks_against_them(reading):
    assert weight(reading) > 4


def test_a_reading_between_both_says_little():
    assert abs(weight(0.94)) < abs(weight(0.9)) / 2


def test_no_reading_is_beyond_doubt_because_any_may_be_disturbed():
    assert max(abs(weight(share / 100)) for share in range(-10, 300)) < 12


@pytest.mark.parametrize("reading", [1.05, 1.2, 3.0])
def test_more_than_expected_is_as_good_as_expected(reading):
    assert weight(reading) == weight(1.0)


def test_a_reading_speaks_for_faults_of_its_loss():
    levels = NOISE.levels(0.6)
    best = int(levels.argmax())
    assert NOISE.edges[best] <= 0.4 <= NOISE.edges[best + 1]
    assert levels[best] > 1.0 > 0.0 > levels[0]
    assert np.exp(levels).mean() == pytest.approx(1.0)


def test_a_fleet_whose_faults_are_never_steady_tells_no_losses():
    assert replace(NOISE, steady=0.0).levels(0.6) == pytest.approx(np.zeros(len(NOISE.edges) - 1))
