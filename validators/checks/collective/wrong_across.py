"""Collectives over several nodes give right results."""

from rackwright import compare
from rackwright.compare import loads
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.collective import Collectives
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, seen: Collectives) -> Finding:
    """A node is wrong when every group that it took part in was; one right group clears it."""
    counts = {f"{result.collective} on {', '.join(result.nodes)}": loads.wrong(result) for result in seen.results}
    found = compare.at_most(expectation, counts, "collective.wrong", what="wrong elements")
    groups = {tuple(result.nodes) for result in seen.results}
    right = [
        group for group in groups if all(loads.wrong(one) == 0 for one in seen.results if tuple(one.nodes) == group)
    ]
    if found.outcome != Outcome.FAIL or not right:
        return found
    others = "; ".join(part for part, count in counts.items() if count)
    says = f"{expectation.node.name}: wrong elements in {others}, and none on {', '.join(right[0])}: the other node is to blame"
    return found.model_copy(update={"outcome": Outcome.PASS, "says": says})


CHECK = Check(
    reads=Collectives,
    judge=judge,
    applies=loads.runs_between,
)
