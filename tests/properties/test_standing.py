"""Columns give what one reading after the other gives: medians to the last bit, and who passes."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from statistics import median

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rackwright import compare
from rackwright.compare.robust import medians, spread, spreads
from rackwright.model.lazy_finding import worded
from tests import build
from tests.examples import examples

NUMBERS = st.floats(-1e6, 1e6)
GROUPED = st.lists(st.tuples(st.integers(0, 4), NUMBERS), max_size=60)
HOT = compare.Claim("temperature", "temperature", "celsius", high=True, by="kelvin")
SLOW = compare.Claim("hbm", "memory bandwidth", "GB/s", high=False, by="share")
ONE = build.expectation()


def grouped(rows: list[tuple[int, float]]) -> dict[int, list[float]]:
    groups = defaultdict(list)
    for group, value in rows:
        groups[group].append(value)
    return groups


@given(GROUPED)
def test_medians_and_spreads_are_those_of_the_library(rows) -> None:
    rows.sort(key=lambda row: row[1])
    group, value = (
        np.array([place for place, _ in rows], dtype=np.intp),
        np.array([entry for _, entry in rows], dtype=float),
    )
    groups = grouped(rows)
    sizes, middles = medians(group, value, 5)
    assert [*sizes] == [len(groups[number]) for number in range(5)]
    assert [middles[number] for number in groups if groups[number]] == [
        median(groups[number]) for number in groups if groups[number]
    ]
    back = slice(None, None, -1)
    assert spreads(group[back], value[back], 5) == [spread(groups[n]) if groups[n] else None for n in range(5)]


@examples(40)
@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.lists(st.one_of(st.none(), st.floats(20, 90)), max_size=3)),
        min_size=8,
        max_size=24,
    ),
    st.sampled_from([HOT, SLOW]),
)
def test_who_passes_in_columns_passes_in_words(nodes, claim) -> None:
    fleet = []
    for number, (rack, values) in enumerate(nodes):
        named = replace(ONE, node=replace(ONE.node, name=f"n{number}"), places={"rack": f"rack {rack}"})
        parts = [f"GPU {at}" for at, _ in enumerate(values)]
        fleet.append((named, compare.readings(parts, ["GPU"] * len(parts), values, rails=parts)))
    for finding in compare.compare_with_peers(fleet, claim).values():
        assert worded(finding).outcome is finding.outcome
