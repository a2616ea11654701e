"""The clock's own frequency is one that can be corrected."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.host import Clock
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Clock) -> Finding:
    """Compare the frequency error with the limit."""
    row = compare.limit(expectation, "clock.drift_ppm")
    if row is None:
        return compare.no_limit(expectation, "clock.drift_ppm")
    most = compare.number(row)
    found = seen.frequency_ppm
    return compare.every(
        expectation,
        {"frequency": None if found is None else f"{found:g} ppm"},
        lambda _: found is not None and abs(found) <= most,
        what="clock",
        expected=f"at most {most:g} ppm either way",
        source=compare.limit_source(row),
    )


CHECK = Check(reads=Clock, judge=judge, applies=compare.is_onboarded)
