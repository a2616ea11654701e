"""The predicted cost of an isolation is what it takes."""

from __future__ import annotations

import pytest

from rackwright.isolate import cost
from rackwright.isolate.coverage import screening_rounds
from rackwright.isolate.trial import Trial
from tests.unit.isolate import fleet
from tests.unit.isolate.fleet import KNOWN, played

PLAYS = 6


def prices(nodes, faults):
    built = fleet.atoms(nodes)
    plan = screening_rounds(built, 1, least_load=KNOWN.load, most_rounds=KNOWN.screens)
    return plan, cost.predict_cost(built, KNOWN, plan, PLAYS, faults=faults)


@pytest.mark.parametrize("nodes", [2, 3, 4, 9])
def test_a_good_fleet_takes_exactly_its_screens(nodes):
    plan, (price,) = prices(nodes, (0,))
    assert (price.rounds.mean, price.rounds.most) == (len(plan.rounds), len(plan.rounds))
    assert price.tests.mean == sum(map(len, plan.rounds))


@pytest.mark.parametrize("fault", ["node:n001", "rail:n002/mlx5_1", "nvlink:n001", "pair:n001+n002"])
def test_of_two_nodes_nothing_is_asked_that_cannot_tell_them_apart(fault):
    plan, (price,) = prices(2, (1,))
    verdict, entry = played(fleet.atoms(2), fault)
    assert entry.done
    assert not verdict.clean
    assert verdict.faulty_parts == ()
    assert len(plan.rounds) <= verdict.rounds <= len(plan.rounds) + 3
    assert price.rounds.most <= len(plan.rounds) + 3


def test_a_search_takes_no_more_than_it_was_said_to():
    """19 of 20 searches are within the range, by its definition."""
    _, (price,) = prices(9, (1,))
    rounds = [played(fleet.atoms(9), f"node:n00{node}", seed=node)[0].rounds for node in range(1, 9)]
    assert max(rounds) <= price.rounds.most + 1


def test_a_test_that_stands_in_two_screens_is_run_twice():
    """Of two nodes both screens are the same test, and the proof counts it twice."""
    entry = fleet.isolation(fleet.atoms(2))
    twice = entry.screens.rounds[:2]
    assert twice == ((Trial((0, 1)),),) * 2
    verdict, _ = played(fleet.atoms(2))
    assert verdict.clean
    assert verdict.rounds == len(entry.screens.rounds)
    assert verdict.coverage.kinds == entry.screens.proof.kinds
