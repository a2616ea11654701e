"""Collectives over nodes use each accelerator's full share of the network; the node that is slow in all of its groups is blamed for slow groups."""

from collections.abc import Mapping, Sequence

from rackwright import compare
from rackwright.compare import blame_findings, loads, node_pairs
from rackwright.compare.blame import JointReading
from rackwright.model.check import CALIBRATED, Expectation, FleetCheck
from rackwright.model.evidence.collective import Collectives
from rackwright.model.verdict import Finding, Outcome, Unlimited

Peers = Sequence[tuple[Expectation, tuple[node_pairs.Group, ...]]]


def judge(peers: Peers) -> Mapping[str, Finding]:
    """Convert every result to bandwidth on the wire, compare it with the floor, and find the nodes that explain slow
    groups.
    """
    trials: dict[str, list[JointReading]] = {}
    without: dict[str, Finding] = {}
    sources: dict[str, None] = {}
    for expectation, groups in peers:
        for result in groups:
            trial = _trial(expectation, result)
            if isinstance(trial, JointReading):
                sources |= _calibrated(expectation, result)
                trials.setdefault(result.collective, []).append(trial)
            else:
                first = without.setdefault(expectation.node.name, trial)
                if first is not trial:
                    unlimited = [*first.unlimited, *trial.unlimited]
                    without[expectation.node.name] = first.model_copy(update={"unlimited": unlimited})
    findings = blame_findings.node_findings(
        [expectation for expectation, _ in peers],
        trials,
        without,
        expected="the floor in at least one group, and no slow group that nothing else explains",
        source="; ".join(["limits collective.wire_gbytes_per_s and collective.domain_gbytes_per_s", *sources]),
    )
    advisory = {
        about.node.name for about, groups in peers if groups and all(_advisory(about, group) for group in groups)
    }
    return blame_findings.show_only(findings, advisory)


def _trial(expectation: Expectation, result: node_pairs.Group) -> JointReading | Finding:
    """One result as a trial of its nodes, or the finding with the reason why it cannot be judged."""
    what = f"{result.collective} on {', '.join(result.nodes)}"
    if not result.transport or not result.large or len(result.nodes) < 1 + 1:
        return compare.finding(
            expectation,
            Outcome.INCONCLUSIVE,
            what=what,
            observed="no path proven" if result.large else "no reading at one GiB or more",
            expected="a proven path and a large size",
            source="debug output of the library",
        )
    part = loads.untested_finding(expectation, result.ranks, what, len(result.nodes))
    if part is not None:
        return part
    metric, key = _limit_of(result)
    floor = compare.floor(expectation, metric, **key)
    if floor is None:
        unlimited = [Unlimited(metric=metric, key=key, value=result.reached)]
        return compare.no_limit(expectation, f"{metric} {result.collective} on {len(result.nodes)} nodes", unlimited)
    says = (
        f"{what} over {result.transport}: {result.reached:.4g} GB/s of {floor.fail:.4g} "
        f"({result.curve} GB/s bus bandwidth)"
    )
    return JointReading(frozenset(result.nodes), floor.outcome(result.reached) == Outcome.FAIL, says)


def _limit_of(result: node_pairs.Group) -> tuple[str, dict[str, str]]:
    """Metric and key of the floor."""
    metric = "collective.domain_gbytes_per_s" if result.transport == "mnnvl" else "collective.wire_gbytes_per_s"
    return metric, {"collective": result.collective, "nodes": str(len(result.nodes))}


def _advisory(expectation: Expectation, result: node_pairs.Group) -> bool:
    metric, key = _limit_of(result)
    return compare.advisory(expectation, metric, **key)


def _calibrated(expectation: Expectation, result: node_pairs.Group) -> dict[str, None]:
    """The source of the floor, if the site calibrated it."""
    metric, key = _limit_of(result)
    row = compare.limit(expectation, metric, **key)
    return {compare.limit_source(row): None} if row is not None and row.kind == CALIBRATED else {}


CHECK = FleetCheck(
    reads=Collectives,
    takes=node_pairs.collective_groups,
    judge=judge,
    applies=loads.runs_between,
)
