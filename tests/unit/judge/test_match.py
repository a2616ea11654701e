"""Which limits hold for which versions of a library."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rackwright.judge.match import END, bounds, has_all, inside, overlap

VERSIONS = st.lists(st.integers(0, 3), min_size=1, max_size=3).map(lambda numbers: ".".join(map(str, numbers)))
RANGES = st.lists(st.tuples(st.sampled_from([">=", "<", "=="]), VERSIONS).map("".join), min_size=1, max_size=2).map(
    " ".join
)


@pytest.mark.parametrize(
    ("text", "span"),
    [
        (">=2.24 <2.28", ((2, 24), (2, 28))),
        (">=2.24,<2.28", ((2, 24), (2, 28))),
        ("==2.27.3", ((2, 27, 3), (2, 27, 4))),
        (">=3", ((3,), END)),
        ("<3", ((), (3,))),
        (">=2 >=3 <5 <4", ((3,), (4,))),
        ("", None),
        (" ", None),
        ("2.27", None),
        (">=2 2.27", None),
        (">2", None),
        (">=2.", None),
    ],
)
def test_ranges_of_versions(text, span) -> None:
    assert bounds(text) == span


@pytest.mark.parametrize(
    ("version", "text", "is_inside"),
    [
        ("2.24", ">=2.24 <2.28", True),
        ("2.23.9", ">=2.24 <2.28", False),
        ("2.27.99", ">=2.24 <2.28", True),
        ("2.28", ">=2.24 <2.28", False),
        ("2.27.3", "==2.27", True),
        ("2.28", "==2.27", False),
        ("2.27-1", "==2.27", False),
        ("", ">=0", False),
        ("2.27", "2.27", False),
    ],
)
def test_versions_inside_a_range(version, text, is_inside) -> None:
    assert inside(version, text) == is_inside


@pytest.mark.parametrize(
    ("first", "second", "overlaps"),
    [
        (None, None, True),
        (None, ">=2", False),
        ("<2.27", "==2.26", True),
        ("<2.27", ">=2.27", False),
        ("<2.27", ">=2.26.9", True),
        ("odd", "odd", True),
        ("odd", ">=2", False),
    ],
)
def test_ranges_that_overlap(first, second, overlaps) -> None:
    assert overlap(first, second) == overlap(second, first) == overlaps


@given(VERSIONS, RANGES, RANGES)
def test_ranges_that_share_a_version_overlap(version, first, second) -> None:
    if inside(version, first) and inside(version, second):
        assert overlap(first, second)


@pytest.mark.parametrize(
    ("match", "key", "holds"),
    [
        ({}, {}, True),
        ({}, {"a": "1"}, True),
        ({"a": "1"}, {"a": "1", "b": "2"}, True),
        ({"a": "1", "b": "2"}, {"a": "1"}, False),
        ({"a": "1"}, {"a": "2"}, False),
        ({"a": ">=1"}, {"a": "2"}, False),
        ({"library": ">=1"}, {"library": "2"}, True),
        ({"library": ">=1"}, {"library": "0.9"}, False),
        ({"library": ">=1"}, {}, False),
        ({"library": "odd"}, {"library": "odd"}, True),
        ({"library": ">=1", "a": "1"}, {"library": "2", "a": "2"}, False),
    ],
)
def test_keys_that_a_row_holds_for(match, key, holds) -> None:
    assert has_all(match, key) == holds
