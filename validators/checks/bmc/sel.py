"""The event log has no unresolved critical entry."""

from rackwright import compare
from rackwright.compare import bmc
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.bmc import BmcEvidence, LogEntry
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: BmcEvidence) -> Finding:
    """Name unresolved entries of refused severities, otherwise those of severities that the limits accept as degraded."""
    refused = compare.limit(expectation, "bmc.log_severity", outcome="fail")
    reserve = compare.limit(expectation, "bmc.log_severity", outcome="degraded")
    if refused is None or reserve is None:
        return compare.no_limit(expectation, "bmc.log_severity")
    dates = bmc.log_dates(expectation, record)
    if dates is None:
        return compare.no_limit(expectation, "bmc.clock_offset")
    critical = open_entries(record, compare.words(refused), dates)
    warnings = open_entries(record, compare.words(reserve), dates)
    older = sum(dates.is_history(entry) for entry in record.log or [])
    history = f", {older} of them from before {expectation.log_since}" if older else ""
    entries = critical or warnings
    return compare.finding(
        expectation,
        outcome(record, critical, warnings),
        what="event log:",
        observed=text(entries, dates)
        if entries
        else ("no log that can be read" if record.log is None else f"{len(record.log)} entries, none bad{history}"),
        expected="no critical entry that is open" + ("" if record.log_complete else ", of all entries"),
        source=compare.limit_source(refused),
    )


def outcome(record: BmcEvidence, critical: list[LogEntry], warnings: list[LogEntry]) -> Outcome:
    """A bad entry decides in any log; a pass needs the complete log."""
    if critical:
        return Outcome.FAIL
    if record.log is None or not record.log_complete:
        return Outcome.INCONCLUSIVE
    return Outcome.DEGRADED if warnings else Outcome.PASS


def open_entries(record: BmcEvidence, severities: list[str], dates: bmc.LogDates) -> list[LogEntry]:
    """Unresolved entries of these severities that are not history."""
    return [
        entry
        for entry in record.log or []
        if entry.severity in severities and not entry.resolved and not dates.is_history(entry)
    ]


def text(entries: list[LogEntry], dates: bmc.LogDates) -> str:
    """Entries in words; a date that cannot be trusted is marked."""
    return "; ".join(
        f"{entry.created}{f' (not to be trusted: {doubt})' if (doubt := dates.doubt(entry)) else ''} {entry.severity}: {entry.message}"
        for entry in entries
    )


CHECK = bmc.resting_on(Check(reads=BmcEvidence, judge=judge), "log")
