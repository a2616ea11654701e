"""Every rail of a node sends at its line rate; a slow test is put down to the end that is slow with every partner."""

from collections.abc import Mapping, Sequence

from rackwright import compare
from rackwright.compare import blame_findings, loads, node_pairs
from rackwright.compare.blame import Trial
from rackwright.model.check import Expectation, FleetCheck
from rackwright.model.evidence.rail import RailBandwidth
from rackwright.model.verdict import Finding, Outcome


def judge(seen: Sequence[tuple[Expectation, node_pairs.RailTests]]) -> Mapping[str, Finding]:
    """Divide by the planned line rate, compare with the floor, and say of each rail whether it explains the slow tests."""
    trials: dict[str, list[Trial]] = {}
    for expectation, tests in seen:
        planned = loads.rails(expectation)
        for rail in tests.each():
            if rail.node == expectation.node.name and rail.adapter in planned:
                found = _trial(expectation, rail, planned[rail.adapter].gbps)
                trials.setdefault(rail.adapter, []).extend([found] if found else [])
    return blame_findings.rails(
        [expectation for expectation, _ in seen],
        trials,
        what="RDMA bandwidth",
        metric="rail.bandwidth_share",
    )


def _trial(expectation: Expectation, rail: node_pairs.RailTest, gbps: int) -> Trial | None:
    floor = compare.floor(expectation, "rail.bandwidth_share")
    if floor is None or not 0 < rail.value <= gbps:  # nothing is faster than its line
        return None
    low = floor.outcome(rail.value / gbps) == Outcome.FAIL
    says = f"{rail.adapter} from {rail.node} to {rail.peer} ({rail.memory}): {rail.value:.4g} of {gbps} Gb/s"
    return Trial(frozenset({rail.node, rail.peer}), low, says)


CHECK = FleetCheck(
    reads=RailBandwidth,
    takes=node_pairs.speeds,
    judge=judge,
    applies=lambda expectation: loads.runs_between(expectation) and bool(loads.rails(expectation)),
)
