"""Readings against what is expected of them.

Everything here fails closed: a reading that is None or not a number, or an empty set of readings, is `inconclusive`, never `pass`; a
reading that is wrong is worse than one that is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar

from rackwright.compare.brief import PASSED, Text, missing, sure, words
from rackwright.model.verdict import Finding, Outcome

T = TypeVar("T")


class Subject(Protocol):
    """Anything that is judged: a node, a rack PDU, a CDU."""

    @property
    def subject(self) -> str:
        """Its name, for sentences."""
        ...

    @property
    def brief(self) -> bool:
        """Whether nobody reads what is said of a pass."""
        ...


def every(
    expectation: Subject,
    readings: Mapping[str, T | None],
    good: Callable[[T], bool],
    *,
    what: Text,
    expected: Text,
    source: Text,
    bad: Outcome = Outcome.FAIL,
) -> Finding:
    """Every reading must be good: a bad one gives `bad`, else a missing one gives inconclusive, else pass.

    `what` names the reading (``PCIe link width``); the keys of `readings` name the parts.
    """
    if expectation.brief and sure(readings, good):
        return PASSED
    wrong = {
        part: value for part, value in readings.items() if value is not None and not missing(value) and not good(value)
    }
    unread = [part for part, value in readings.items() if missing(value)]
    if wrong:
        observed = "; ".join(f"{part}: {value}" for part, value in wrong.items())
        outcome = bad
    elif unread or not readings:
        observed = f"no reading of {', '.join(unread)}" if unread else "nothing to read"
        outcome = Outcome.INCONCLUSIVE
    else:
        shown = sorted({str(value) for value in readings.values()})
        observed = ", ".join(shown) + (f" on all {len(readings)}" if len(readings) > 1 else "")
        outcome = Outcome.PASS
    return finding(expectation, outcome, what=what, observed=observed, expected=expected, source=source)


def equal(expectation: Subject, seen: T | None, expected: T, *, what: Text, source: Text) -> Finding:
    """One reading must equal what is expected; None is inconclusive."""
    if expectation.brief and seen is not None and seen == expected:
        return PASSED
    outcome = Outcome.PASS if seen == expected else Outcome.FAIL
    observed = str(seen)
    if seen is None:
        outcome, observed = Outcome.INCONCLUSIVE, "no reading"
    return finding(expectation, outcome, what=what, observed=observed, expected=str(expected), source=source)


def finding(
    expectation: Subject, outcome: Outcome, *, what: Text, observed: str, expected: Text, source: Text, **decided: Any
) -> Finding:
    """A finding whose sentence has subject, observed, expected and source; `decided` are fields of the number that decided."""
    what, expected, source = words(what), words(expected), words(source)
    says = f"{expectation.subject}: {what} {observed}; expected {expected} ({source})"
    return Finding(outcome=outcome, observed=observed, expected=expected, source=source, says=says, **decided)


def judged(
    expectation: Subject, outcome: Outcome, *, what: Text, observed: Text, expected: Text, source: Text
) -> Finding:
    """As `finding`, for a check that decides by itself and says no more of it: a pass that nobody reads is not worded."""
    if expectation.brief and outcome is Outcome.PASS:
        return PASSED
    return finding(expectation, outcome, what=what, observed=words(observed), expected=expected, source=source)


def worst(outcomes: list[Outcome]) -> Outcome:
    """The outcome that decides: fail, then inconclusive, not_run, degraded; pass only when all of at least one pass."""
    for outcome in (Outcome.FAIL, Outcome.INCONCLUSIVE, Outcome.NOT_RUN, Outcome.DEGRADED):
        if outcome in outcomes:
            return outcome
    return Outcome.PASS if outcomes else Outcome.INCONCLUSIVE
