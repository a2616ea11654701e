from collections import Counter

import pytest

from rackwright.compare.majority import majority


@pytest.mark.parametrize(
    ("read", "common"),
    [
        (["a", "a", "b"], "a"),
        (Counter({"b": 3, "a": 2}), "b"),
        (["a", "b"], None),
        (["a", "a", "b", "c"], None),
        ([], None),
    ],
)
def test_more_than_half_is_a_majority(read, common):
    assert majority(read) == common
