"""The ASIC of every InfiniBand switch is below the temperature at which the switch warns."""

from rackwright import compare
from rackwright.compare import network, switch_health
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.switch_health import SubnetSwitches
from rackwright.model.verdict import Finding

within = switch_health.celsius(lambda switch: switch.temperatures)


def judge(expectation: Expectation, record: SubnetSwitches) -> Finding:
    """Compare each ASIC with its own threshold."""
    return compare.every(
        expectation,
        within(record),
        lambda state: state == switch_health.WITHIN,
        what="temperature of switches:",
        expected="below the warning threshold of each",
        source="the switch itself (register MTMP, temperature_threshold_lo)",
    )


CHECK = Check(reads=SubnetSwitches, judge=judge, applies=network.manages_subnets)
