"""Every rail of a node answers as quickly as its kind; a slow test is put down to the end that is slow with every partner."""

from collections.abc import Mapping, Sequence

from rackwright import compare
from rackwright.compare import blame_findings, loads, node_pairs
from rackwright.compare.blame import Trial
from rackwright.model.check import Expectation, FleetCheck
from rackwright.model.evidence.rail import RailLatency
from rackwright.model.verdict import Finding, Outcome


def judge(seen: Sequence[tuple[Expectation, node_pairs.RailTests]]) -> Mapping[str, Finding]:
    """Compare the typical delay with the ceiling, and say of each rail whether it explains the slow tests."""
    trials: dict[str, list[Trial]] = {}
    for expectation, tests in seen:
        planned = loads.rails(expectation)
        for rail in tests.each():
            if rail.node == expectation.node.name and rail.adapter in planned:
                found = _trial(expectation, rail)
                trials.setdefault(rail.adapter, []).extend([found] if found else [])
    return blame_findings.rails(
        [expectation for expectation, _ in seen],
        trials,
        what="RDMA latency",
        metric="rail.latency_us",
    )


def _trial(expectation: Expectation, rail: node_pairs.RailTest) -> Trial | None:
    ceiling = compare.ceiling(expectation, "rail.latency_us")
    if ceiling is None or compare.missing(compare.positive(rail.value)):
        return None
    low = ceiling.outcome(rail.value) == Outcome.FAIL
    says = f"{rail.adapter} from {rail.node} to {rail.peer}: {rail.value:.3g} us of at most {ceiling.fail:.3g}"
    return Trial(frozenset({rail.node, rail.peer}), low, says)


CHECK = FleetCheck(
    reads=RailLatency,
    takes=node_pairs.delays,
    judge=judge,
    applies=lambda expectation: loads.runs_between(expectation) and bool(loads.rails(expectation)),
)
