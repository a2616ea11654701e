"""The check of the drawings can fail: words that touch and words that leave the sheet are found."""

from __future__ import annotations

import pytest

from tests.unit.report import geometry

SHEET = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 60"><title>t</title><desc>d</desc>{}</svg>'


def test_words_that_touch_are_found():
    root = geometry.parsed(SHEET.format('<text x="10" y="20">leaf-01</text><text x="30" y="22">leaf-02</text>'))
    assert geometry.overlapping(geometry.words(root)) == [("leaf-01", "leaf-02")]


def test_words_in_moved_groups_are_found_where_they_stand():
    moved = '<g transform="translate(60 0)"><text x="10" y="20">leaf-02</text></g>'
    root = geometry.parsed(SHEET.format(f'<text x="10" y="20">leaf-01</text>{moved}'))
    assert geometry.overlapping(geometry.words(root)) == []


@pytest.mark.parametrize(
    "text", ['<text x="-9" y="20">a</text>', '<text x="190" y="20">leaf-01</text>', '<text x="9" y="70">a</text>']
)
def test_words_that_leave_the_sheet_are_found(text):
    assert geometry.outside(geometry.parsed(SHEET.format(text)))
