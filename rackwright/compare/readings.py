"""Compares readings with their expected values.

Everything here fails closed: a reading that is None or not a number, or an empty set of readings, is `inconclusive`,
never `pass`; a wrong reading is worse than a missing one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, TypeVar, Unpack

from rackwright.compare.named_readings import all_good, missing, values
from rackwright.model.lazy_finding import passed
from rackwright.model.verdict import UNDECIDED, Decided, Finding, Outcome

T = TypeVar("T")
Text = str | Callable[[], str]
"""Text of a finding, or a function that makes it when the finding is read."""


class Subject(Protocol):
    """Anything that is judged: a node, a rack PDU, a CDU."""

    @property
    def subject(self) -> str:
        """Its name, for sentences."""
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
    """Every reading must be good: a bad one gives `bad`, otherwise a missing one gives inconclusive, otherwise pass.

    `what` names the reading (``PCIe link width``); the keys of `readings` name the parts.
    """
    observed: Text
    if all_good(readings, good):
        outcome, observed = Outcome.PASS, lambda: _distinct(readings)
    elif wrong := {part: value for part, value in readings.items() if not missing(value) and not good(value)}:  # type: ignore[arg-type]
        outcome, observed = bad, "; ".join(f"{part}: {value}" for part, value in wrong.items())
    else:
        unread = ", ".join(part for part, value in readings.items() if missing(value))
        outcome, observed = Outcome.INCONCLUSIVE, f"no reading of {unread}" if readings else "nothing to read"
    return finding(expectation, outcome, what=what, observed=observed, expected=expected, source=source)


def _distinct(readings: Mapping[str, object]) -> str:
    """The distinct values of readings, and how many readings there are, in words."""
    read = values(readings)  # without the names, which take longer to make
    distinct = ", ".join(sorted({str(value) for value in read}))
    return distinct + (f" on all {len(read)}" if len(read) > 1 else "")


def equal(expectation: Subject, reading: T | None, expected: T, *, what: Text, source: Text) -> Finding:
    """One reading must equal `expected`; None is inconclusive."""
    if reading is None:
        outcome, observed = Outcome.INCONCLUSIVE, "no reading"
    else:
        outcome, observed = Outcome.PASS if reading == expected else Outcome.FAIL, str(reading)
    return finding(expectation, outcome, what=what, observed=observed, expected=str(expected), source=source)


def finding(
    expectation: Subject,
    outcome: Outcome,
    *,
    what: Text,
    observed: Text,
    expected: Text,
    source: Text,
    **decided: Unpack[Decided],
) -> Finding:
    """A finding whose sentence has subject, observed, expected and source; `decided` are fields of the number that
    decided.

    A pass is worded only when it is read.
    """

    def word() -> Finding:
        what_text, observed_text, expected_text, origin = map(text, (what, observed, expected, source))
        says = f"{expectation.subject}: {what_text} {observed_text}; expected {expected_text} ({origin})"
        fields = {
            "outcome": outcome, "observed": observed_text, "expected": expected_text, "source": origin, "says": says,
            **UNDECIDED, **decided,
            "value": _number(decided.get("value")), "limit": _number(decided.get("limit")),
        }  # fmt: skip
        # Types are right at this point. A large site has half a million findings, and validating one takes longer than
        # wording it.
        return Finding.of_fields(fields)

    return passed(word) if outcome is Outcome.PASS else word()


def text(words: Text) -> str:
    """`words` as text. TypeError for anything else."""
    wording = words if isinstance(words, str) else words()
    if not isinstance(wording, str):
        raise TypeError(f"a finding has words, got {wording!r}")
    return wording


def _number(value: float | None) -> float | None:
    """The value as a float: cells of records may hold whole numbers."""
    return None if value is None else float(value)


def worst(outcomes: list[Outcome]) -> Outcome:
    """The outcome that decides: fail, then inconclusive, not_run, degraded; pass only if there is an outcome and all
    pass.
    """
    for outcome in (Outcome.FAIL, Outcome.INCONCLUSIVE, Outcome.NOT_RUN, Outcome.DEGRADED):
        if outcome in outcomes:
            return outcome
    return Outcome.PASS if outcomes else Outcome.INCONCLUSIVE
