"""What a plan gives too few cables for is no fault: each flow is held against what the cables leave of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rackwright.isolate.coverage import screening_rounds
from rackwright.isolate.link_load import RailFlow, flows, remaining_rates
from rackwright.isolate.parts import PartIds
from rackwright.isolate.paths import SwitchPaths
from rackwright.isolate.trial import Trial
from tests.unit.isolate import fleet

ALL = Trial(tuple(range(8)), shift=1)


def thinned(every):
    """Eight nodes of one unit with two rails, of whose leaves only each `every`-th cable upwards is there."""
    built = fleet.wiring(8)
    result = replace(built, cables=built.cables[::every], ends=built.ends[::every])
    return PartIds(result, SwitchPaths(result))


@pytest.mark.parametrize(("every", "remaining"), [(1, 1.0), (2, 0.5), (4, 0.25)])
def test_flows_from_rail_to_rail_share_the_cables_in_their_direction(every, remaining):
    """Eight flows leave each leaf, and eight come: both directions of a cable carry one each."""
    result = remaining_rates(thinned(every), [ALL])
    assert set(result.values()) == {remaining}
    assert len(result) == 16


def test_a_flow_that_stays_behind_its_leaf_has_all_of_its_rate():
    assert set(remaining_rates(thinned(4), [replace(ALL, shift=0)]).values()) == {1.0}


def test_tests_of_a_round_share_what_is_there():
    built = thinned(2)
    halves = [replace(ALL, nodes=ALL.nodes[:4]), replace(ALL, nodes=ALL.nodes[4:])]
    assert set(remaining_rates(built, halves[:1]).values()) == {1.0}
    assert set(remaining_rates(built, halves).values()) == {0.5}


def test_flows_go_around_the_ring_on_the_rails_that_are_asked():
    assert flows(thinned(1), Trial((3, 5), rails=(1,), shift=1)) == [RailFlow(3, 1, 5, 0), RailFlow(5, 1, 3, 0)]


def test_between_rails_that_nothing_joins_there_is_no_flow():
    built = fleet.wiring(8)
    alone = replace(built, cables=(), ends=built.ends[:0])
    assert flows(PartIds(alone, SwitchPaths(alone)), ALL) == []


def test_screens_of_a_full_fabric_are_held_against_the_whole_rate():
    built = fleet.atoms(8)
    plan = screening_rounds(built, 1, least_load=fleet.KNOWN.load, most_rounds=fleet.KNOWN.screens)
    assert any(trial.shift for round_ in plan.rounds for trial in round_)
    assert {remaining_rate for round_ in plan.rounds for remaining_rate in remaining_rates(built, round_).values()} == {
        1.0
    }
