"""Every sensor of the machine is within its own limits."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.bmc import Bmc, Sensor
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, seen: Bmc) -> Finding:
    """Look at the health that each sensor states, and compare its reading with its own critical thresholds."""
    good = compare.limit(expectation, "bmc.health", outcome="pass")
    if good is None:
        return compare.no_limit(expectation, "bmc.health")
    wrong = {one.name: text(one) for one in seen.sensors or [] if bad(one, compare.words(good))}
    if not wrong and (seen.sensors_unread or not seen.sensors):
        unread = f"{seen.sensors_unread} of its sensors were not read" if seen.sensors else "no sensors"
        return compare.finding(
            expectation,
            Outcome.INCONCLUSIVE,
            what="sensors:",
            observed=unread,
            expected="all within their limits",
            source="",
        )
    return compare.every(
        expectation,
        wrong or {"sensors": f"all {len(seen.sensors or [])} within their limits"},
        lambda _: not wrong,
        what="sensors:",
        expected="all within their own limits",
        source=f"the sensors' own thresholds; {compare.limit_source(good)}",
    )


def bad(one: Sensor, healthy: list[str]) -> bool:
    """Whether a sensor reports itself ill, or reads beyond a critical threshold."""
    if one.health and one.health not in healthy:
        return True
    if one.reading is None:
        return False
    low = one.lower_critical is not None and one.reading < one.lower_critical
    return low or (one.upper_critical is not None and one.reading > one.upper_critical)


def text(one: Sensor) -> str:
    """Reading, unit and health."""
    return f"{'no reading' if one.reading is None else f'{one.reading:g} {one.unit}'} ({one.health or 'no health'})"


CHECK = Check(reads=Bmc, judge=judge)
