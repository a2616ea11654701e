"""Every rail of a node has the latency of its kind; the end that is slow with every partner is blamed for slow tests."""

from rackwright import compare
from rackwright.compare import loads, node_pairs
from rackwright.compare.blame import JointReading
from rackwright.compare.threshold import rail_tests
from rackwright.model.check import Expectation
from rackwright.model.design import Link
from rackwright.model.evidence.rail import RailLatency
from rackwright.model.verdict import Outcome


def trial(expectation: Expectation, test: node_pairs.RailTest, _: Link) -> JointReading | None:
    """The typical latency, with the ceiling; None without a positive reading."""
    ceiling = compare.ceiling(expectation, "rail.latency_us")
    if ceiling is None or compare.missing(compare.positive(test.value)):
        return None
    low = ceiling.outcome(test.value) == Outcome.FAIL
    says = f"{test.adapter} from {test.node} to {test.peer}: {test.value:.3g} us of at most {ceiling.fail:.3g}"
    return JointReading(frozenset({test.node, test.peer}), low, says)


CHECK = rail_tests(
    reads=RailLatency,
    takes=node_pairs.rail_delays,
    trial=trial,
    what="RDMA latency",
    metric="rail.latency_us",
    applies=lambda expectation: loads.runs_between(expectation) and bool(loads.planned_rails(expectation)),
)
