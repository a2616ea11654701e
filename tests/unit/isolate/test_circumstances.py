"""Faults that show at times, small losses, and what all nodes lose together. The benchmark plays a thousand fleets of each."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import settings as options
from hypothesis import strategies as st

from rackwright.isolate import FleetTraits, Search, search_settings, simulate
from rackwright.isolate.clearance import lowest_frequency, reach
from rackwright.isolate.common_loss import CommonLoss
from rackwright.isolate.simulate import SimulatedFleet
from rackwright.judge.limits import load

SETTINGS = search_settings(load())


@pytest.mark.parametrize(
    "traits",
    [FleetTraits(offset=0.05), FleetTraits(congested=0.25), FleetTraits(doubling=0.01), FleetTraits(spread=0.02)],
    ids=["offset", "congestion", "size", "spread"],
)
def test_a_healthy_fleet_is_not_blamed_for_what_all_its_nodes_lose(traits):
    played = [simulate(232, 0, SETTINGS, seed=seed, traits=traits) for seed in range(12)]
    assert sum(outcome.wrong for outcome in played) == 0


def test_faults_of_a_fleet_below_the_expected_value_are_found():
    played = [simulate(232, 2, SETTINGS, seed=seed, traits=FleetTraits(0.2, offset=0.05)) for seed in range(4)]
    assert not any(outcome.wrong or outcome.missed for outcome in played)


@options(max_examples=12, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([0.3, 0.5, 0.8]))
def test_faults_that_show_at_times_blame_no_good_node_and_are_not_cleared_of_what_they_are(seed, frequency):
    outcome = simulate(48, 1, SETTINGS, seed=seed, traits=FleetTraits(0.2, frequency=frequency))
    assert outcome.wrong == 0
    assert outcome.cleared == 0 or frequency == 0.3  # one in a hundred may hide in all of its tests


@pytest.mark.parametrize(("seed", "traits"), [(37, FleetTraits(0.05, 0.1)), (25, FleetTraits(frequency=0.5))])
def test_a_good_node_that_shared_its_bad_groups_with_faulty_ones_is_not_blamed(seed, traits):
    """Other faults that showed at times failed every group of the node that was bad; alone with a good partner it was never slow."""
    assert simulate(232, 5, SETTINGS, seed=seed, traits=traits).wrong == 0


def test_a_soak_finds_what_two_screens_cannot_show():
    traits = FleetTraits(0.2, frequency=0.5)
    missed = [
        sum(simulate(48, 1, SETTINGS, seed=seed, traits=traits, soak=soak).missed for seed in range(12))
        for soak in (0, 6)
    ]
    assert missed[1] < missed[0]


@pytest.mark.parametrize(("nodes", "least"), [(3, 0.1), (4, 0.1), (5, 0.1), (8, 0.1)])
def test_small_fleets_with_one_fault_end_decided(nodes, least):
    for seed in range(10):
        outcome = simulate(nodes, 1, SETTINGS, seed=seed, traits=FleetTraits(least))
        assert (outcome.wrong, outcome.missed, outcome.open) == (0, 0, 0)


def test_two_nodes_of_which_one_is_faulty_are_a_tie():
    fleet, search = SimulatedFleet(2, 1, SETTINGS.noise, 0), Search(2, SETTINGS)
    while groups := search.next_round():
        search.take_round(list(zip(groups, fleet.readings(groups), strict=True)))
    assert search.ties() == [(0, 1)]
    assert search.standing().open == {0, 1}


def test_a_group_that_was_bad_once_is_repeated_and_cleared_with_a_statement():
    search, bad = Search(60, SETTINGS), None
    while groups := search.next_round():
        bad = bad or frozenset(groups[0])
        first = not search.hunt().unexplained
        search.take_round([(group, 0.7 if first and frozenset(group) == bad else 1.0) for group in groups])
        if not first:
            assert [frozenset(group) for group in groups] == [bad] or len(groups) > 1
    assert search.standing().good == frozenset(range(60))
    assert all(search.reach(part).frequency <= 0.55 for part in bad)
    assert max(search.reach(part).frequency for part in range(60)) == 0.9, "two good tests exclude no more"


def test_to_ask_what_is_decided_changes_no_search():
    traits = FleetTraits(frequency=0.5)
    played = []
    for questions in (0, 3):
        fleet, search = SimulatedFleet(48, 2, SETTINGS.noise, 3, traits), Search(48, SETTINGS, seed=3)
        rounds = []
        while groups := search.next_round():
            rounds.append(groups)
            search.take_round(list(zip(groups, fleet.readings(groups), strict=True)))
            for _ in range(questions):
                search.standing()
        played.append(rounds)
    assert played[0] == played[1]


@pytest.mark.parametrize(("loss", "blamed"), [(0.075, frozenset()), (0.12, frozenset({7}))], ids=["slow", "faulty"])
def test_a_part_that_loses_less_than_a_fault_is_not_blamed_for_reading_below_the_bound_at_times(loss, blamed):
    """The fleet lost 2 % in both screens, so a fault loses 9 % or more. Readings of the slow part lie on both sides of the bound."""
    search = Search(96, SETTINGS)
    for groups in (search.next_round(), search.next_round()):
        search.take_round([(group, 0.98 * (1.0 - loss if 7 in group else 1.0)) for group in groups])
    for turn, partner in enumerate((30, 40, 50, 60)):
        search.take([7, partner], 1.0 - loss + 0.015 * (-1) ** turn)
    assert search.standing().faulty == blamed
    assert search.slightly_slow() == {7} - blamed


def test_a_round_of_a_hunt_that_is_bad_as_a_whole_is_played_again_beside_good_parts():
    """It may be congested. Two good parts beside the same group say that it is not."""
    search, bad = Search(96, SETTINGS), None
    for _ in range(2):
        groups = search.next_round()
        bad = bad or groups[0]
        search.take_round([(group, 0.7 if group == bad else 1.0) for group in groups])
    readings = len(search._readings)
    for beside in (0.7, 1.0):
        assert search.next_round() == [bad]
        search.take_round([(bad, 0.7)])
        assert len(search._readings) == readings
        again, control = search.next_round()
        assert again == bad
        assert search.standing().good.issuperset(control)
        search.take_round([(bad, 0.7), (control, beside)])
        assert len(search._readings) == readings + (2 if beside == 1.0 else 0)


def test_tests_beside_a_faulty_part_do_not_say_what_a_good_one_would_have_shown():
    """They count for nothing where they are bad, so they must count for nothing where they are good, or a fault would hide among them."""
    search = Search(24, SETTINGS)
    for partner in (10, 11, 12, 13, 14):
        search.take([3, partner], 0.7 if partner < 13 else 1.0)
    for group in (range(4, 24), range(10, 24)):
        search.take(group, 1.0)
    for share in (1.0, 0.7, 1.0):
        search.take([3, 5], share)
    assert search.hunt().likely == [3]
    assert search.reach(5).frequency == lowest_frequency(1, 0, SETTINGS.confidence)


def test_names_do_not_matter():
    """The same readings for other numbers of the same nodes give the same decision."""
    groups = [
        (range(10), 1.0),
        (range(10, 20), 0.7),
        (range(0, 20, 2), 1.0),
        (range(1, 20, 2), 0.7),
        ((11, 0), 0.7),
        ((13, 2), 1.0),
    ]
    groups += [((15, 4), 1.0), ((17, 6), 1.0), ((19, 8), 1.0), ((11, 2), 0.7)]
    turned = [7 * part % 20 for part in range(20)]
    standings = []
    for names in (list(range(20)), turned):
        search = Search(20, SETTINGS)
        for group, share in groups:
            search.take([names[part] for part in group], share)
        standings.append(search.standing())
    assert standings[0].faulty == {11}
    assert standings[1].faulty == {turned[11]}
    assert standings[1].good == {turned[part] for part in standings[0].good}


@pytest.mark.parametrize(
    ("good", "bad", "frequency"), [(0, 0, 1.0), (1, 0, 0.99), (2, 0, 0.9), (7, 0, 0.49), (8, 1, 0.55), (20, 0, 0.21)]
)
def test_the_lowest_frequency_that_is_excluded(good, bad, frequency):
    assert lowest_frequency(good, bad, SETTINGS.confidence) == pytest.approx(frequency)


def test_a_clearance_states_the_loss_that_its_worst_reading_would_have_shown():
    assert reach([1.0, 1.0], 2, 0, SETTINGS.noise, SETTINGS.confidence).loss == 0.05
    assert reach([1.0, 0.96], 2, 0, SETTINGS.noise, SETTINGS.confidence).loss == pytest.approx(0.08)


def test_what_most_tests_lose_is_common_and_what_few_lose_is_not():
    rules = SETTINGS.common
    common = CommonLoss(SETTINGS.noise, rules)
    common.learn([23] * 4, [0.9, 0.9, 0.9, 0.6])
    assert common.correct([23] * 4, [0.9, 0.9, 0.9, 0.6]) == pytest.approx([1.0, 1.0, 1.0, 0.6 / 0.9])
    assert CommonLoss(SETTINGS.noise, rules).correct([23] * 4, [1.0, 1.0, 0.9, 0.6]) == [1.0, 1.0, 0.9, 0.6]
    assert CommonLoss(SETTINGS.noise, rules, largest=0.1).correct([23] * 3, [0.7, 0.7, 0.7]) == [0.7, 0.7, 0.7]


def test_a_round_of_suspects_does_not_say_what_good_parts_reach():
    """Three groups of suspects that are all bad by small faults look like a congested round."""
    common = CommonLoss(SETTINGS.noise, SETTINGS.common)
    assert common.correct([12] * 3, [0.93, 0.94, 0.92], tests_all=False) == [0.93, 0.94, 0.92]
    assert common.correct([12] * 3, [0.93, 0.94, 0.92]) == pytest.approx([1.0, 0.94 / 0.93, 0.92 / 0.93])


def test_a_loss_of_one_round_below_half_of_the_smallest_fault_is_none():
    common = CommonLoss(SETTINGS.noise, SETTINGS.common)
    shares = [0.98, 0.98, 0.97, 1.0]
    assert common.correct([23] * 4, shares) == shares
    common.learn([23] * 4, shares)
    assert common.correct([23] * 4, shares) == pytest.approx([share / 0.98 for share in shares]), "lasting"


def test_a_reading_that_is_too_good_hides_no_common_loss():
    common = CommonLoss(SETTINGS.noise, SETTINGS.common)
    common.learn([23] * 5, [0.9, 0.91, 1.1, 0.9, 0.9])
    assert common.lasting == 0.9


def test_readings_before_a_better_round_lose_what_was_taken_for_common():
    """What the first screen lost was no common loss: the second one reaches the expected value."""
    search = Search(96, SETTINGS)
    for level in (0.95, 1.0):
        groups = search.next_round()
        search.take_round([(group, level) for group in groups])
    assert {round(share, 3) for _, share in search._shares} == {1.0}
    search = Search(96, SETTINGS)
    for level in (0.98, 1.0):
        groups = search.next_round()
        search.take_round([(group, level) for group in groups])
    assert {share for _, share in search._shares} == {0.98, 1.0}


def test_an_unsteady_fault_loses_much_in_a_part_of_its_tests():
    fleet = SimulatedFleet(20, 4, replace(SETTINGS.noise, steady=0.0), 1, FleetTraits(0.05, 0.1, frequency=0.8))
    part = min(fleet.faulty)
    assert fleet.frequency(part, 0.05) == pytest.approx(0.8)
    assert fleet.frequency(part, 0.075) == pytest.approx(0.4)
    assert fleet.frequency(part, 0.2) == 0.0
