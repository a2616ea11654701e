"""The clock follows a reference."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.host import Clock
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Clock) -> Finding:
    """Compare leap status and stratum with the limits; the leap status is `Not synchronised` without a reference."""
    leap = compare.limit(expectation, "clock.leap_status")
    stratum = compare.limit(expectation, "clock.stratum")
    if leap is None or stratum is None:
        return compare.no_limit(expectation, "clock.leap_status and clock.stratum")
    most = compare.number(stratum)
    good = record.leap_status in compare.words(leap) and 0 < record.stratum <= most
    return compare.every(
        expectation,
        {"chrony": f"{record.leap_status}, stratum {record.stratum}, reference {record.reference}"},
        lambda _: good,
        what="clock:",
        expected=f"{' or '.join(compare.words(leap))}, stratum 1 to {most:g}",
        source=f"{compare.limit_source(leap)}; {compare.limit_source(stratum)}",
    )


CHECK = Check(reads=Clock, judge=judge, applies=compare.is_onboarded)
