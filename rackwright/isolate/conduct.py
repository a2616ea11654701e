"""Runs an isolation with any tester, until it is complete or the time is over."""

from __future__ import annotations

from collections.abc import Callable

from rackwright.isolate.isolation import Isolation
from rackwright.isolate.trial import Tester, Trial

MOST_ROUNDS = 60
"""Rounds after which an isolation ends, with the undecided nodes open."""


def conduct_isolation(
    isolation: Isolation,
    tester: Tester,
    deadline: float | None = None,
    before: Callable[[int, list[Trial]], None] = lambda *_: None,
) -> None:
    """Run rounds until the isolation is complete.

    No round begins that would end after `deadline`, in minutes. `before` is called with the number of each round, from
    1, and its tests.
    """
    remaining_minutes = float("inf") if deadline is None else deadline
    while isolation.rounds < MOST_ROUNDS and (trials := isolation.next_round()):
        remaining_minutes -= max(isolation.known.of_a_test(len(trial.nodes)) for trial in trials)
        if remaining_minutes < 0:
            return
        before(isolation.rounds + 1, trials)
        isolation.take(tester.run(trials))
