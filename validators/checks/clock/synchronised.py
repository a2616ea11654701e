"""The clock follows a reference."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.host import Clock
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: Clock) -> Finding:
    """Compare leap status and stratum with the limits; a clock that follows only itself is inconclusive."""
    leap = compare.limit(expectation, "clock.leap_status")
    stratum = compare.limit(expectation, "clock.stratum")
    if leap is None or stratum is None:
        return compare.no_limit(expectation, "clock.leap_status and clock.stratum")
    most = compare.number(stratum)
    good = record.leap_status in compare.words(leap) and 0 < record.stratum <= most
    state = f"{record.leap_status}, stratum {record.stratum}, reference {record.reference}"
    return compare.finding(
        expectation,
        Outcome.FAIL if not good else Outcome.INCONCLUSIVE if record.free_running else Outcome.PASS,
        observed=f"{state}, which is its own clock" if record.free_running else state,
        what="clock:",
        expected=f"{' or '.join(compare.words(leap))}, stratum 1 to {most:g}",
        source=f"{compare.limit_source(leap)}; {compare.limit_source(stratum)}",
    )


CHECK = Check(reads=Clock, judge=judge, applies=compare.is_onboarded)
