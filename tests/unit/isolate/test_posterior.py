import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rackwright.isolate.posterior import Posterior
from rackwright.isolate.scenarios import GroupReading, draw_scenarios

GOOD, BAD = (math.log(0.99), math.log(0.01)), (math.log(0.01), math.log(0.99))
"""Evidence of a test that is wrong once in a hundred times."""


def reported(parts, tests, prior=0.1):
    belief = Posterior(np.full(parts, prior))
    for group, evidence in tests:
        belief.take(group, evidence)
    return belief.probabilities()


def exact(parts, tests, prior=0.1):
    """By counting every set of faulty parts."""
    total, each = 0.0, np.zeros(parts)
    for state in itertools.product((0, 1), repeat=parts):
        weight = math.prod(prior if entry else 1 - prior for entry in state)
        for group, (good, bad) in tests:
            weight *= math.exp(bad if any(state[part] for part in group) else good)
        total += weight
        each += weight * np.array(state)
    return each / total


def test_without_a_test_the_prior_holds():
    assert reported(3, []) == pytest.approx([0.1] * 3)


def test_what_was_in_no_test_keeps_its_prior():
    assert reported(3, [([0, 1], BAD)])[2] == pytest.approx(0.1)


GROUPS = st.lists(st.lists(st.integers(0, 5), min_size=1, max_size=6, unique=True), min_size=1, max_size=1)


@given(GROUPS, st.sampled_from([GOOD, BAD]))
def test_a_single_test_is_exact(groups, evidence):
    tests = [(group, evidence) for group in groups]
    assert reported(6, tests) == pytest.approx(exact(6, tests), abs=1e-3)


def test_a_tree_of_tests_is_exact():
    tests = [([0, 1, 2], BAD), ([2, 3], BAD), ([3, 4], GOOD), ([5], BAD)]
    assert reported(6, tests) == pytest.approx(exact(6, tests), abs=2e-3)


def test_drawn_sets_are_as_frequent_as_they_are_probable():
    tests = [([0, 1, 2, 3], BAD), ([0, 4], GOOD), ([1, 2], BAD)]
    expected = exact(5, tests)
    readings = [GroupReading(frozenset(group), evidence, np.zeros(1)) for group, evidence in tests]
    sets = draw_scenarios(expected, np.full(5, 0.1), readings, range(5), sets=4000, sweeps=12, seed=1)
    assert sets.mean(axis=0) == pytest.approx(expected, abs=0.03)
    together = (sets[:, 1] & sets[:, 2]).mean()
    assert together < 0.1, "one of the two explains everything"


def test_tests_that_lose_the_same_are_bad_by_the_same_part():
    """Rows and columns of a grid: two of each are bad, and only what they lose says which part stands where they cross."""
    alike, second = np.log([1.8, 0.2]), np.log([0.2, 1.8])
    tests = [([0, 1], alike), ([2, 3], second), ([0, 2], alike), ([1, 3], second)]
    readings = [GroupReading(frozenset(group), BAD, levels) for group, levels in tests]
    sets = draw_scenarios(np.full(4, 0.5), np.full(4, 0.1), readings, range(4), sets=4000, sweeps=20, seed=1)
    diagonal, across = (sets[:, pair].all(axis=1).mean() for pair in ([0, 3], [1, 2]))
    assert diagonal > 5 * across
