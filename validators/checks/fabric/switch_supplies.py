"""Every power supply of the InfiniBand switches is there, delivers, and is cooled."""

from rackwright import compare
from rackwright.compare import network, switch_health
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.switch_health import WELL, SubnetSwitches
from rackwright.model.verdict import Finding

states = switch_health.states(lambda switch: switch.supplies)


def judge(expectation: Expectation, record: SubnetSwitches) -> Finding:
    """Every supply slot of a switch must report a healthy supply."""
    return compare.every(
        expectation,
        states(record),
        lambda state: state == WELL,
        what="power supplies of switches:",
        expected=WELL,
        source="the switch itself (register MSPS)",
    )


CHECK = Check(reads=SubnetSwitches, judge=judge, applies=network.manages_subnets)
