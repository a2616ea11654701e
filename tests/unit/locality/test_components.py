from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rackwright.locality.components import components

PAIRS = st.lists(st.tuples(st.integers(0, 19), st.integers(0, 19)), max_size=40)


def joined(count: int, pairs: list[tuple[int, int]]) -> list[int]:
    """The same by looking at every pair until nothing changes."""
    label = list(range(count))
    for _ in range(count):
        for a, b in pairs:
            label = [min(label[a], label[b]) if entry in (label[a], label[b]) else entry for entry in label]
    return label


@given(PAIRS)
def test_as_when_every_pair_is_looked_at(pairs):
    a, b = (np.array([pair[end] for pair in pairs], dtype=np.int64) for end in (0, 1))
    assert components(20, a, b).tolist() == joined(20, pairs)


def test_a_long_chain_ends():
    count = 100_000
    a = np.arange(count - 1, dtype=np.int64)
    assert set(components(count, a, a + 1).tolist()) == {0}


def test_nothing_hangs_together_without_pairs():
    none = np.array([], dtype=np.int64)
    assert components(3, none, none).tolist() == [0, 1, 2]
    assert components(0, none, none).tolist() == []
