"""Amounts of the page are in units of people, whatever unit the limits have."""

import pytest

from rackwright.report.amounts import amount, scaled


@pytest.mark.parametrize(
    ("value", "unit", "words"),
    [
        (0.985, "share", "98.5 %"),
        (34.0, "celsius", "34 °C"),
        (451794.0, "1/s", "451,794 per second"),
        (4.2, "us", "4.2 µs"),
        (787.54, "TFLOPS", "787.5 TFLOPS"),
        (0.0, "words", "0 words"),
        (3.0, "1", "3"),
    ],
)
def test_an_amount_has_a_unit_that_people_use(value, unit, words):
    assert amount(value, unit) == words


def test_a_unit_without_a_row_stays():
    assert scaled(1.5, "GB/s") == (1.5, "GB/s")
