"""Shared by the checks of a BMC: documents that were not read, and properties that a BMC does not report."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import NamedTuple

from rackwright.compare.limits import limit, number
from rackwright.compare.readings import Subject, Text, finding
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.bmc import BmcEvidence, LogEntry
from rackwright.model.lazy_finding import worded
from rackwright.model.verdict import Finding, Outcome

MINUTE, DAY = 60, 86_400
DATED = re.compile(r"[12][0-9]{3}-[01][0-9]-[0-3][0-9]")


def resting_on(
    check: Check[BmcEvidence],
    *parts: str,
    offers: Callable[[BmcEvidence], bool] | None = None,
    what: str = "",
    expected: str = "",
) -> Check[BmcEvidence]:
    """`check`, made inconclusive if documents of `parts` were not read, and advisory if the BMC does not report the
    property (`offers`).
    """

    def judge(expectation: Expectation, record: BmcEvidence) -> Finding:
        silent = offers is not None and not offers(record) and not unread(record, *parts)
        if silent:
            return not_reported(expectation, what=what, expected=expected)
        return complete(check.judge(expectation, record), record, *parts)

    return replace(check, judge=judge)


def unread(record: BmcEvidence, *parts: str) -> str:
    """Which documents of `parts` were not read, in words; empty if all were read."""
    return "; ".join(dict.fromkeys(record.unread[part] for part in parts if part in record.unread))


def complete(judged: Finding, record: BmcEvidence, *parts: str, counted: bool = False) -> Finding:
    """`judged`, or inconclusive if documents of `parts` were not read.

    A failed finding stands, unless it is a count of readings (`counted`).
    """
    lost = unread(record, *parts)
    if not lost or (judged.outcome == Outcome.FAIL and not counted):
        return judged
    full = worded(judged)
    words = {"observed": f"{full.observed}; not read: {lost}", "says": f"{full.says}; not read: {lost}"}
    return full.model_copy(update={**words, "outcome": Outcome.INCONCLUSIVE, "advisory": False})


def not_reported(expectation: Subject, *, what: Text, expected: Text) -> Finding:
    """An advisory finding: the BMC lacks this property, which DSP0268 makes optional.

    It is displayed, and refuses no node.
    """
    return finding(
        expectation,
        Outcome.DEGRADED,
        what=what,
        observed="is not reported by this BMC",
        expected=expected,
        source="DMTF DSP0268: the property is optional",
        advisory=True,
    )


def duration(seconds: float) -> str:
    """A time in words: in days, minutes or seconds."""
    if seconds >= DAY:
        return f"{seconds / DAY:.0f} days"
    return f"{seconds / MINUTE:.0f} min" if seconds >= 2 * MINUTE else f"{seconds:.0f} s"


class LogDates(NamedTuple):
    """How far the dates of an event log can be trusted."""

    since: str
    """ISO day before which entries are history; empty: no entry is."""
    earliest: str
    """Year before which no BMC with Redfish can have logged anything."""
    latest: str
    """ISO day after which no entry can be; empty if it is unknown when the log was read."""
    is_off: bool
    """Whether the clock of the BMC is off."""

    def doubt(self, entry: LogEntry) -> str:
        """Why the date of `entry` cannot be trusted; empty if it can."""
        if DATED.match(entry.created) is None:
            return "no date"
        if entry.created < self.earliest:
            return f"before {self.earliest}"
        if self.latest and entry.created[: len(self.latest)] > self.latest:
            return "later than it was read"
        return "by a clock that is off" if self.is_off else ""

    def is_history(self, entry: LogEntry) -> bool:
        """Whether an entry was logged before `since`; an entry whose date cannot be trusted is not history."""
        return bool(self.since) and not self.doubt(entry) and entry.created[: len(self.since)] < self.since


def log_dates(expectation: Expectation, record: BmcEvidence) -> LogDates | None:
    """Limits for the dates of the event log; None without a limit for the clock or the year."""
    offset, year = limit(expectation, "bmc.clock_offset"), limit(expectation, "bmc.earliest_year")
    if offset is None or year is None:
        return None
    # The time zone of an entry may be half a day away from ours.
    latest = (datetime.fromisoformat(record.read_at) + timedelta(days=1)).date().isoformat() if record.read_at else ""
    is_off = record.clock_offset_seconds is not None and abs(record.clock_offset_seconds) > number(offset)
    return LogDates(expectation.log_since, f"{number(year):.0f}", latest, is_off)
