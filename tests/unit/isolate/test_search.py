from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rackwright.base.errors import ProblemsError
from rackwright.isolate import Search, search_settings, simulate
from rackwright.judge.limits import load
from tests.examples import examples

SETTINGS = search_settings(load())


def played(parts, faulty, **lines):
    """A search in which what `faulty` loses is known, and nothing scatters; returns it and its rounds."""
    search, rounds = Search(parts, replace(SETTINGS, **lines)), []
    while len(rounds) < 30 and (groups := search.next_round()):
        rounds.append(groups)
        for group in groups:
            search.take(group, 1.0 - max(faulty.get(part, 0.0) for part in group))
    return search, rounds


def test_a_good_fleet_is_screened_twice_and_no_more():
    search, rounds = played(232, {})
    assert len(rounds) == 2
    assert search.standing().good == frozenset(range(232))


def test_every_part_is_tested_at_least_twice_with_other_partners():
    _, rounds = played(232, {})
    for part in range(232):
        first, second = ({*group} - {part} for groups in rounds for group in groups if part in group)
        assert len(first & second) <= 2


def test_faulty_parts_are_named_and_no_others():
    search, rounds = played(232, {3: 0.2, 4: 0.5, 77: 0.12, 150: 0.9, 231: 0.3})
    standing = search.standing()
    assert standing.faulty == {3, 4, 77, 150, 231}
    assert standing.open == frozenset()
    assert len(rounds) <= 10


def test_no_part_is_blamed_on_the_word_of_one_partner():
    search, _ = played(16, {5: 0.4})
    bad = [reading.parts - {5} for reading in search._readings if reading.weight > 0 and 5 in reading.parts]
    assert any(not (entry & second) for entry in bad for second in bad)


def test_a_test_that_did_not_run_leaves_its_parts_open():
    search = Search(20, SETTINGS)
    for groups in (search.next_round(), search.next_round()):
        for group in groups:
            if 7 not in group:
                search.take(group, 1.0)
    standing = search.standing()
    assert 7 in standing.open
    assert 7 not in standing.good


def test_one_good_test_is_not_enough():
    search = Search(20, SETTINGS)
    for group in search.next_round():
        search.take(group, 1.0)
    assert search.standing().good == frozenset()


def test_groups_of_a_round_run_at_the_same_time():
    _, rounds = played(100, {1: 0.3, 50: 0.3, 99: 0.3})
    for groups in rounds:
        parts = [part for group in groups for part in group]
        assert len(parts) == len(set(parts))
        assert all(2 <= len(group) <= SETTINGS.rules.largest for group in groups)


@examples(25)
@given(st.integers(8, 120), st.integers(0, 3), st.integers(0, 10_000))
@example(58, 2, 69)  # two of three groups of the first screen lose most of what they should reach
def test_every_part_is_in_one_of_three(parts, faulty, seed):
    outcome = simulate(parts, faulty, SETTINGS, seed=seed)
    assert outcome.tests <= parts * 4
    search, _ = played(parts, dict.fromkeys(range(faulty), 0.4))
    standing = search.standing()
    assert standing.faulty | standing.good | standing.open == frozenset(range(parts))
    assert not (standing.faulty & standing.good)


def test_232_nodes_with_5_faults_take_fewer_tests_than_the_best_published_figure():
    """55 tests in 7 rounds: NVIDIA cluster-readiness-engine, ADR-055. The benchmark plays a thousand."""
    outcomes = [simulate(232, 5, SETTINGS, seed=seed) for seed in range(8)]
    assert sum(outcome.tests for outcome in outcomes) / 8 < 50
    assert sum(outcome.rounds for outcome in outcomes) / 8 < 7
    assert sum(outcome.wrong for outcome in outcomes) == 0
    assert sum(outcome.missed for outcome in outcomes) == 0


def test_4096_nodes_with_3_faults_take_at_most_12_rounds():
    assert simulate(4096, 3, SETTINGS, seed=1).rounds <= 12


def test_the_same_seed_plays_the_same_search():
    assert simulate(64, 2, SETTINGS, seed=5) == simulate(64, 2, SETTINGS, seed=5)


def test_a_number_that_nobody_gives_is_named(tmp_path):
    (tmp_path / "empty.yaml").write_text("metrics: []\nlimits: []\n")
    with pytest.raises(ProblemsError) as error:
        search_settings(load([tmp_path / "empty.yaml"]))
    assert {problem.path for problem in error.value.problems} >= {"isolation.sigma", "isolation.prior"}


def test_a_part_that_needs_no_test_of_its_own_gets_none():
    """Its two screens are bad by it alone as soon as its neighbours are cleared."""
    _, rounds = played(232, {100: 0.5})
    pairs = [group for groups in rounds for group in groups if len(group) == 2 and 100 in group]
    assert len(pairs) <= 1
    assert sum(len(groups) for groups in rounds) <= 23


def test_faults_that_lose_something_else_each_time_are_found_as_well():
    never = replace(SETTINGS, noise=replace(SETTINGS.noise, steady=0.0))
    result = [simulate(232, 5, never, seed=seed) for seed in range(4)]
    assert not any(entry.wrong or entry.missed for entry in result)


def test_two_parts_of_which_one_is_faulty_stay_open_and_the_search_ends():
    search, rounds = played(2, {0: 0.4})
    assert search.standing().open == {0, 1}
    assert len(rounds) <= 4
