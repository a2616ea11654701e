"""The bound of the clock error, over the whole path to the reference, is within the limit."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.host import Clock
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: Clock) -> Finding:
    """Add offset, dispersion and half of the round trip to the reference, and compare with the limit of the offset."""
    row = compare.limit(expectation, "clock.error_seconds")
    half = compare.limit(expectation, "clock.delay_share")
    if row is None or half is None:
        return compare.no_limit(expectation, "clock.error_seconds and clock.delay_share")
    most = compare.number(row)
    if record.free_running:
        outcome, observed = Outcome.INCONCLUSIVE, f"reference {record.reference}, which is its own clock"
    elif record.root_delay_seconds is None or record.root_dispersion_seconds is None:
        outcome, observed = Outcome.INCONCLUSIVE, "no reading"
    else:
        delay = compare.number(half) * record.root_delay_seconds
        bound = abs(record.offset_seconds) + record.root_dispersion_seconds + delay
        outcome = Outcome.PASS if bound <= most else Outcome.FAIL
        observed = f"{bound:g} s"
    return compare.finding(
        expectation,
        outcome,
        what="clock error",
        observed=observed,
        expected=f"at most {most:g} s",
        source=f"chronyc(1), tracking, root dispersion; {compare.limit_source(row)}",
    )


CHECK = Check(reads=Clock, judge=judge, applies=compare.is_onboarded)
