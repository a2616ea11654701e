from __future__ import annotations

import pytest

from rackwright.report.drawings import figures, metrics


@pytest.mark.parametrize("words", ["compute-leaf-01", "W", "iiii", "机柜", "a b c"])
@pytest.mark.parametrize("room", [3.0, 12.0, 40.0, 200.0])
def test_what_fits_is_not_wider_than_its_room(words, room):
    assert metrics.width(metrics.fit(words, room, 9), 9) <= room


def test_what_fits_stays_whole_and_the_rest_says_that_it_was_cut():
    assert metrics.fit("leaf-01", 100, 9) == "leaf-01"
    assert metrics.fit("compute-leaf-01", 40, 9).endswith("…")
    assert metrics.fit("compute-leaf-01", 5, 9) == ""


def test_bold_words_need_more_room():
    assert metrics.width("leaf", 9, bold=True) > metrics.width("leaf", 9)


def test_the_longest_form_that_fits_is_taken():
    assert metrics.first_fit(["compute-leaf-01", "leaf-01", "01"], 45, 9) == "leaf-01"
    assert metrics.first_fit(["compute-leaf-01"], 10, 9) == ""


def test_lines_break_between_words_and_keep_them_all():
    words = "the fullest circuit after the worst loss that must be survived"
    lines = metrics.wrap(words, 90, 9)
    assert " ".join(lines) == words
    assert all(metrics.width(line, 9) <= 90 for line in lines)


@pytest.mark.parametrize(
    ("value", "words"), [(0.0, "0"), (0.84, "0.8"), (40.8, "40.8"), (99.96, "100"), (132.4, "132"), (1306.2, "1,306")]
)
def test_figures_have_few_digits(value, words):
    assert figures.amount(value) == words


def test_counts_have_their_noun():
    assert figures.count(1, "rack") == "1 rack"
    assert figures.count(1200, "rack") == "1,200 racks"
    assert figures.count(2, "power shelf", "power shelves") == "2 power shelves"
    assert figures.span("a", "c", 3) == "a to c"
    assert figures.share(5, 0) == 0
    assert figures.load_of_capacity(13.6, 32.8) == "13.6 of 32.8 kW"
    assert figures.load_of_capacity(3927, 20_000) == "3.9 of 20.0 MW"
    assert figures.share(5, 4) == 1
