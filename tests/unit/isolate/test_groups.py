import numpy as np

from rackwright.isolate.groups import RoundRules, entropy, most_telling


def one_of(parts):
    """As many sets as parts, each with one other faulty part."""
    return np.eye(parts, dtype=bool)


def test_one_faulty_of_eight_is_halved():
    groups = most_telling(one_of(8), list(range(8)), RoundRules(largest=64, worth=0.9))
    assert [len(group) for group in groups] == [4], "a test of the other half would tell nothing"


def test_what_is_known_is_not_tested():
    names = np.ones((10, 1), dtype=bool)
    assert most_telling(names, [7], RoundRules(largest=64, worth=0.3)) == []


def test_groups_of_a_round_have_no_part_in_common_and_are_not_too_large():
    chance = np.random.default_rng(3)
    faulty = chance.random((400, 60)) < 0.05
    groups = most_telling(faulty, list(range(100, 160)), RoundRules(largest=8, worth=0.1))
    parts = [part for group in groups for part in group]
    assert len(parts) == len(set(parts))
    assert {100 <= part < 160 for part in parts} == {True}
    assert max(len(group) for group in groups) <= 8


def test_entropy_counts_bits():
    assert entropy(np.array([0, 0, 1, 1])) == 1.0
    assert entropy(np.array([5, 5, 5])) == 0.0
