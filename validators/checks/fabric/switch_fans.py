"""No fan of the InfiniBand switches stands still or is out of its range."""

from rackwright import compare
from rackwright.compare import network, switch_health
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.switch_health import WELL, SubnetSwitches
from rackwright.model.verdict import Finding

states = switch_health.states(lambda switch: switch.fans)


def judge(expectation: Expectation, record: SubnetSwitches) -> Finding:
    """Judge the common fan alarm of each switch, and each fan that it lists."""
    return compare.every(
        expectation,
        states(record),
        lambda state: state == WELL,
        what="fans of switches:",
        expected=WELL,
        source="the switch itself (registers FORE and MFSM)",
    )


CHECK = Check(reads=SubnetSwitches, judge=judge, applies=network.manages_subnets)
