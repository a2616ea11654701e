from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rackwright.design.availability.poisson import at_least, quantile, spare_nodes

shares = st.floats(0.01, 0.9999)


def by_hand(mean, confidence):
    count, term = 0, math.exp(-mean)
    total = term
    while total < confidence:
        count += 1
        term *= mean / count
        total += term
    return count


@given(mean=st.floats(1e-6, 500), confidence=shares)
def test_quantile_is_the_least_that_is_enough(mean, confidence):
    assert abs(quantile(mean, confidence) - by_hand(mean, confidence)) <= (1 if confidence > 0.9998 else 0)


def test_quantile_of_very_many_is_near_the_normal_one():
    assert quantile(1e8, 0.95) == pytest.approx(1e8 + 1.6449 * 1e4, abs=5)
    assert quantile(0, 0.99) == 0


@given(mean=st.floats(0, 1e4), confidence=shares, more=st.floats(1, 3))
def test_more_failures_or_more_confidence_never_need_less(mean, confidence, more):
    assert quantile(mean * more, confidence) >= quantile(mean, confidence)
    assert quantile(mean, 1 - (1 - confidence) / more) >= quantile(mean, confidence)


def test_at_least_is_the_binomial_sum():
    by_terms = sum(math.comb(10, down) * 0.9 ** (10 - down) * 0.1**down for down in range(3))
    assert at_least(8, 2, 0.9) == pytest.approx(by_terms)
    assert at_least(5, 0, 1.0) == 1
    assert at_least(32, 0, 0.99) == pytest.approx(0.99**32)


@given(nodes=st.integers(1, 2000), up=st.floats(0.8, 0.99999), confidence=shares)
def test_spare_nodes_are_enough_and_no_more(nodes, up, confidence):
    spares = spare_nodes(nodes, up, confidence)
    if spares is None:
        assert at_least(nodes, nodes, up) < confidence
        return
    assert at_least(nodes, spares, up) >= confidence
    assert spares == 0 or at_least(nodes, spares - 1, up) < confidence


def test_nodes_that_hardly_run_have_no_sensible_number_of_spares():
    assert spare_nodes(64, 0.01, 0.95) is None
