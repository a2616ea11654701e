"""Runs an isolation with whatever runs tests, until nothing is asked any more or the time is over.

In: an isolation, a tester, the most rounds. Out: nothing; the isolation holds what came of it. Pure but for the tester. Cut here because simulation, stored
readings and machines differ in the tester alone.
"""

from __future__ import annotations

from collections.abc import Callable
from math import floor

from rackwright.isolate.isolation import Isolation
from rackwright.isolate.trial import Tester, Trial

MOST_ROUNDS = 60
"""An isolation that is not done by then ends with what is open."""


def conduct(
    isolation: Isolation,
    tester: Tester,
    rounds: int = MOST_ROUNDS,
    before: Callable[[int, list[Trial]], None] = lambda *_: None,
) -> None:
    """`before` is told the number of each round, from 1, and its tests."""
    while isolation.rounds < rounds and (trials := isolation.next_round()):
        before(isolation.rounds, trials)
        isolation.take(tester.run(trials))


def rounds_in(minutes: float | None, of_a_round: float) -> int:
    """Whole rounds that fit into a deadline."""
    return MOST_ROUNDS if minutes is None else min(MOST_ROUNDS, floor(minutes / of_a_round))
