"""Collectives inside a node give right results."""

from rackwright import compare
from rackwright.compare import loads
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.collective import NodeCollectives
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: NodeCollectives) -> Finding:
    """Sum the wrong elements of every collective; one whose results were not checked is no reading."""
    return compare.at_most(
        expectation,
        {result.collective: loads.wrong(result) for result in seen.results},
        "collective.wrong",
        what="wrong elements",
    )


CHECK = Check(
    reads=NodeCollectives,
    judge=judge,
    applies=loads.runs_collectives,
)
