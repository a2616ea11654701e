"""Every sensor of the machine is within its own thresholds."""

from rackwright import compare
from rackwright.compare import bmc
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.bmc import BmcEvidence, Sensor
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: BmcEvidence) -> Finding:
    """Read the health that each sensor reports, and compare its reading with its own critical thresholds."""
    good = compare.limit(expectation, "bmc.health", outcome="pass")
    if good is None:
        return compare.no_limit(expectation, "bmc.health")
    wrong = {sensor.name: text(sensor) for sensor in record.sensors or [] if bad(sensor, compare.words(good))}
    if not wrong and (record.sensors_unread or not record.sensors):
        unread = f"{record.sensors_unread} of its sensors were not read" if record.sensors else "no sensors"
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
        wrong or {"sensors": f"all {len(record.sensors or [])} within their limits"},
        lambda _: not wrong,
        what="sensors:",
        expected="all within their own limits",
        source=f"the sensors' own thresholds; {compare.limit_source(good)}",
    )


def bad(sensor: Sensor, healthy: list[str]) -> bool:
    """Whether a sensor reports bad health or reads beyond a critical threshold."""
    if sensor.health and sensor.health not in healthy:
        return True
    if sensor.reading is None:
        return False
    low = sensor.lower_critical is not None and sensor.reading < sensor.lower_critical
    return low or (sensor.upper_critical is not None and sensor.reading > sensor.upper_critical)


def text(sensor: Sensor) -> str:
    """Reading, unit and health."""
    return f"{'no reading' if sensor.reading is None else f'{sensor.reading:g} {sensor.unit}'} ({sensor.health or 'no health'})"


CHECK = bmc.resting_on(Check(reads=BmcEvidence, judge=judge), "sensors")
