"""Student's t beside its closed form, and how far good parts stand from their median."""

from __future__ import annotations

from math import atan, cos, inf, pi, sin, sqrt

import numpy as np
import pytest

from rackwright.compare.robust import CONSISTENT, EFFICIENCY, Spread, medians, spread, spreads, student


def exceeded(value: float, freedom: int) -> float:
    """The chance to exceed `value` (Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4)."""
    angle = atan(value / sqrt(freedom))
    odd = freedom % 2
    term = total = 1.0 if not odd else cos(angle) * (freedom > 1)
    for factor in range(1 + odd, freedom - 1, 2):
        term *= cos(angle) ** 2 * factor / (factor + 1)
        total += term
    inside = (angle + sin(angle) * total) * 2 / pi if odd else sin(angle) * total
    return (1 - inside) / 2


CHANCES = (0.4, 0.25, 0.1, 0.05, 0.01, 0.001, 1e-4, 1e-5, 1e-6)


@pytest.mark.parametrize("freedom", [3, 4, 5, 6, 7, 8, 10, 13, 20, 30, 50, 100, 400])
def test_quantiles_of_student_are_exceeded_as_often_as_requested(freedom: int) -> None:
    for chance in CHANCES:
        assert exceeded(student(chance, freedom), freedom) == pytest.approx(chance, rel=2e-5)


@pytest.mark.parametrize(
    ("chance", "freedom", "error"),
    [
        (0.25, 1, 1e-12),
        (0.001, 1, 1e-12),
        (0.1, 2, 1e-3),
        (1e-6, 3, 5e-8),
        (1e-6, 4, 3e-8),
        (1e-6, 5, 2e-8),
        (0.4, 3, 5e-8),
        (0.4, 4, 3e-8),
        (0.4, 5, 1e-8),
        (0.4, 6, 4e-9),
        (0.25, 8, 3e-10),
        (0.001, 100, 2e-11),
    ],
)
def test_how_exact_quantiles_of_student_are(chance: float, freedom: int, error: float) -> None:
    assert exceeded(student(chance, freedom), freedom) == pytest.approx(chance, rel=error)


def test_between_one_and_two_degrees_of_freedom_the_wider_distribution_counts() -> None:
    assert student(0.01, 1.9) == student(0.01, 1) > student(0.01, 2) > student(0.01, 2.5)


@pytest.mark.parametrize("freedom", [1, 1.5, 2, 2.94, 3.5, 4.49, 4.51, 5, 26.5])
def test_a_rarer_value_is_a_larger_one(freedom: float) -> None:
    values = [student(chance, freedom) for chance in CHANCES]
    assert values == sorted(values)


def test_where_a_good_part_stands() -> None:
    assert Spread(9, 0.0, 2.0).distance(0.01) == pytest.approx(2 * sqrt(1 + pi / 18) * student(0.01, EFFICIENCY * 8))
    assert Spread(2, 0.0, 2.0).distance(0.25) == pytest.approx(2 * sqrt(1 + pi / 4))
    assert Spread(9, 5.0, 0.0).distance(1e-9) == 0


def test_spread_of_some_values() -> None:
    assert spread([1.0, 2.0, 4.0, 9.0]) == Spread(4, 3.0, CONSISTENT * 1.5)
    assert spread([7.0]) == Spread(1, 7.0, 0.0)


def test_medians_by_group() -> None:
    group, value = np.array([2, 0, 2, 0, 2]), np.array([-1.0, 1.0, 2.0, 4.0, 8.0])
    sizes, middles = medians(group, value, 4)
    assert sizes.tolist() == [2, 0, 3, 0]
    assert np.nan_to_num(middles, nan=inf).tolist() == [2.5, inf, 2.0, inf]
    assert spreads(group, value, 4) == [Spread(2, 2.5, CONSISTENT * 1.5), None, Spread(3, 2.0, CONSISTENT * 3), None]
