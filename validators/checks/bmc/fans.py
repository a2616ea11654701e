"""Every fan turns."""

from rackwright import compare
from rackwright.compare import bmc
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.bmc import BmcEvidence, Sensor
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: BmcEvidence) -> Finding:
    """Look at the speed of every fan and at its health."""
    kinds = compare.limit(expectation, "bmc.fan_sensors")
    good = compare.limit(expectation, "bmc.health", outcome="pass")
    if kinds is None or good is None:
        return compare.no_limit(expectation, "bmc.fan_sensors and bmc.health")
    fans = [
        sensor
        for sensor in record.sensors or []
        if sensor.place in compare.words(kinds) or sensor.kind in compare.words(kinds)
    ]
    return compare.every(
        expectation,
        compare.by_name(fans, lambda sensor: state(sensor, compare.words(good))),
        lambda reading: reading == "turns",
        what="fan",
        expected="every fan turning and healthy",
        source=compare.limit_source(kinds),
    )


def state(sensor: Sensor, healthy: list[str]) -> str | None:
    """State of a fan in words; None without a reading."""
    if sensor.reading is None:
        return None
    well = sensor.reading > (sensor.lower_critical or 0) and (not sensor.health or sensor.health in healthy)
    return "turns" if well else f"{sensor.reading:g} {sensor.unit} ({sensor.health or 'no health'})"


CHECK = bmc.resting_on(Check(reads=BmcEvidence, judge=judge), "sensors")
