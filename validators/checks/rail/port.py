"""The bytes of every rail's bandwidth test went through the rail's own port."""

from rackwright.compare import loads
from rackwright.compare.port_traffic import judge_traffic
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.rail import RailBandwidth
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: RailBandwidth) -> Finding:
    """Compare the port counters of the node with the bytes that the tool reports as sent."""
    return judge_traffic(expectation, record.rails, "the bandwidth test")


CHECK = Check(
    reads=RailBandwidth,
    judge=judge,
    applies=loads.runs_rail_tests,
)
