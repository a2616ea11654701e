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
    why = "" if record.leap_status in compare.words(leap) else record.leap_status
    why = f"reference {record.reference}, which is its own clock" if record.free_running else why
    outcome = Outcome.PASS if abs(record.offset_seconds) <= most else Outcome.FAIL
    return compare.finding(
        expectation,
        Outcome.INCONCLUSIVE if why else outcome,
        what="clock offset",
        observed=f"unknown ({why})" if why else f"{record.offset_seconds:g} s",
        expected=f"at most {most:g} s",
        source=compare.limit_source(row),
    )


CHECK = Check(reads=Clock, judge=judge, applies=compare.is_onboarded)
