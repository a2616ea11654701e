import pytest

from rackwright.isolate import Noise

NOISE = Noise(sigma=0.015, weakest=0.1, disturbed=0.001)


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
