"""Collectives over several nodes give right results."""

from rackwright import compare
from rackwright.compare import loads
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.collective import Collectives
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: Collectives) -> Finding:
    """A node fails when every one of its groups has wrong results; one correct group clears it."""
    counts = {
        f"{result.collective} on {', '.join(result.nodes)}": loads.wrong_elements(result) for result in record.results
    }
    finding = compare.at_most(expectation, counts, "collective.wrong", what="wrong elements")
    groups = {tuple(result.nodes) for result in record.results}
    right = [
        group
        for group in groups
        if all(loads.wrong_elements(result) == 0 for result in record.results if tuple(result.nodes) == group)
    ]
    if finding.outcome != Outcome.FAIL or not right:
        return finding
    groups_with_errors = "; ".join(part for part, count in counts.items() if count)
    says = f"{expectation.node.name}: wrong elements in {groups_with_errors}, and none on {', '.join(right[0])}: the other node is to blame"
    return finding.model_copy(update={"outcome": Outcome.PASS, "says": says})


CHECK = Check(
    reads=Collectives,
    judge=judge,
    applies=loads.runs_between,
)
