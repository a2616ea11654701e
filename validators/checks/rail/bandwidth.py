"""Every rail of a node sends at its line rate; a slow test is put down to the end that is slow with every partner."""

from collections.abc import Mapping, Sequence

from rackwright import compare
from rackwright.compare import blamed, loads
from rackwright.compare.blame import Trial
from rackwright.model.check import Expectation, FleetCheck
from rackwright.model.evidence.rail import RailBandwidth, RailSpeed
from rackwright.model.verdict import Finding, Outcome


def judge(seen: Sequence[tuple[Expectation, RailBandwidth]]) -> Mapping[str, Finding]:
    """Divide by the planned line rate, compare with the floor, and say of each rail whether it explains the slow tests."""
    trials: dict[str, list[Trial]] = {}
    for expectation, record in seen:
        planned = loads.rails(expectation)
        for rail in record.rails:
            if rail.node == expectation.node.name and rail.adapter in planned:
                found = _trial(expectation, rail, planned[rail.adapter].gbps)
                trials.setdefault(rail.adapter, []).extend([found] if found else [])
    return blamed.rails(
        [expectation for expectation, _ in seen],
        trials,
        what="RDMA bandwidth",
        metric="rail.bandwidth_share",
    )


def _trial(expectation: Expectation, rail: RailSpeed, gbps: int) -> Trial | None:
    floor = compare.floor(expectation, "rail.bandwidth_share")
    if floor is None:
        return None
    low = floor.outcome(rail.gbits_per_s / gbps) == Outcome.FAIL
    memory = "host memory" if rail.accelerator is None else f"GPU {rail.accelerator}"
    says = f"{rail.adapter} from {rail.node} to {rail.peer} ({memory}): {rail.gbits_per_s:.4g} of {gbps} Gb/s"
    return Trial(frozenset({rail.node, rail.peer}), low, says)


CHECK = FleetCheck(
    title="Bandwidth of every rail",
    reads=RailBandwidth,
    judge=judge,
    applies=lambda expectation: loads.runs_between(expectation) and bool(loads.rails(expectation)),
)
