"""Every fan turns."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.bmc import Bmc, Sensor
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Bmc) -> Finding:
    """Look at the speed of every fan and at its health."""
    kinds = compare.limit(expectation, "bmc.fan_sensors")
    good = compare.limit(expectation, "bmc.health", outcome="pass")
    if kinds is None or good is None:
        return compare.no_limit(expectation, "bmc.fan_sensors and bmc.health")
    fans = [one for one in seen.sensors or [] if one.place in compare.words(kinds) or one.kind in compare.words(kinds)]
    return compare.every(
        expectation,
        compare.by_name(fans, lambda one: state(one, compare.words(good))),
        lambda found: found == "turns",
        what="fan",
        expected="every fan turning and healthy",
        source=compare.limit_source(kinds),
    )


def state(one: Sensor, healthy: list[str]) -> str | None:
    """Whether a fan turns, in words; None without a reading."""
    if one.reading is None:
        return None
    well = one.reading > (one.lower_critical or 0) and (not one.health or one.health in healthy)
    return "turns" if well else f"{one.reading:g} {one.unit} ({one.health or 'no health'})"


CHECK = Check(reads=Bmc, judge=judge)
