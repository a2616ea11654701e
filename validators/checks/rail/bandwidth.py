"""Every rail of a node sends at its line rate; the end that is slow with every partner is blamed for slow tests."""

from rackwright import compare
from rackwright.compare import loads, node_pairs
from rackwright.compare.blame import JointReading
from rackwright.compare.threshold import rail_tests
from rackwright.model.check import Expectation
from rackwright.model.design import Link
from rackwright.model.evidence.rail import RailBandwidth
from rackwright.model.verdict import Outcome


def trial(expectation: Expectation, test: node_pairs.RailTest, link: Link) -> JointReading | None:
    """The rate as a share of the planned line rate, with the floor; None for a rate above the line rate, which is
    impossible.
    """
    floor = compare.floor(expectation, "rail.bandwidth_share")
    if floor is None or not 0 < test.value <= link.gbps:
        return None
    low = floor.outcome(test.value / link.gbps) == Outcome.FAIL
    says = f"{test.adapter} from {test.node} to {test.peer} ({test.memory}): {test.value:.4g} of {link.gbps} Gb/s"
    return JointReading(frozenset({test.node, test.peer}), low, says)


CHECK = rail_tests(
    reads=RailBandwidth,
    takes=node_pairs.rail_speeds,
    trial=trial,
    what="RDMA bandwidth",
    metric="rail.bandwidth_share",
    applies=lambda expectation: loads.runs_between(expectation) and bool(loads.planned_rails(expectation)),
)
