"""The offset of the clock is within the limit."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.host import Clock
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: Clock) -> Finding:
    """Compare the offset with the limit; without synchronisation it is inconclusive."""
    row = compare.limit(expectation, "clock.offset_seconds")
    leap = compare.limit(expectation, "clock.leap_status")
    if row is None or leap is None:
        return compare.no_limit(expectation, "clock.offset_seconds and clock.leap_status")
    most = compare.number(row)
    synchronised = record.leap_status in compare.words(leap)
    outcome = Outcome.PASS if abs(record.offset_seconds) <= most else Outcome.FAIL
    return compare.finding(
        expectation,
        outcome if synchronised else Outcome.INCONCLUSIVE,
        what="clock offset",
        observed=f"{record.offset_seconds:g} s" if synchronised else f"unknown ({record.leap_status})",
        expected=f"at most {most:g} s",
        source=compare.limit_source(row),
    )


CHECK = Check(reads=Clock, judge=judge, applies=compare.is_onboarded)
