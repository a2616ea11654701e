"""The event log has no critical entry that nobody dealt with."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.bmc import Bmc, LogEntry
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, seen: Bmc) -> Finding:
    """Name every open entry whose severity the limits refuse, else those that they accept with reserve."""
    refused = compare.limit(expectation, "bmc.log_severity", outcome="fail")
    reserve = compare.limit(expectation, "bmc.log_severity", outcome="degraded")
    if refused is None or reserve is None:
        return compare.no_limit(expectation, "bmc.log_severity")
    critical = open_entries(seen, compare.words(refused))
    warnings = open_entries(seen, compare.words(reserve))
    named = critical or warnings
    return compare.finding(
        expectation,
        outcome(seen, critical, warnings),
        what="event log:",
        observed=text(named)
        if named
        else ("no log that can be read" if seen.log is None else f"{len(seen.log)} entries, none bad"),
        expected="no critical entry that is open" + ("" if seen.log_complete else ", of all entries"),
        source=compare.limit_source(refused),
    )


def outcome(seen: Bmc, critical: list[LogEntry], warnings: list[LogEntry]) -> Outcome:
    """What was read decides against the machine; only a whole log decides for it."""
    if critical:
        return Outcome.FAIL
    if seen.log is None or not seen.log_complete:
        return Outcome.INCONCLUSIVE
    return Outcome.DEGRADED if warnings else Outcome.PASS


def open_entries(seen: Bmc, severities: list[str]) -> list[LogEntry]:
    """Entries of these severities that nobody has marked as resolved."""
    return [one for one in seen.log or [] if one.severity in severities and not one.resolved]


def text(entries: list[LogEntry]) -> str:
    """Entries as a person reads them."""
    return "; ".join(f"{one.created} {one.severity}: {one.message}" for one in entries)


CHECK = Check(reads=Bmc, judge=judge)
