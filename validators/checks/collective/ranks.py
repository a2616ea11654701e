"""Every accelerator that was bought takes part in the collectives of its node."""

from rackwright import compare
from rackwright.compare import loads
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.collective import Collective, NodeCollectives
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: NodeCollectives) -> Finding:
    """Count ranks: a node with seven of eight is nearly as fast as a complete one, so no bandwidth shows it."""
    bought = expectation.node.accelerators
    counts = {result.collective: len(result.ranks) for result in record.results}
    finding = compare.every(
        expectation,
        counts,
        lambda count: count == bought,
        what="ranks",
        expected=str(bought),
        source="design of the node",
    )
    return (
        finding
        if finding.outcome != Outcome.FAIL
        else finding.model_copy(update={"says": finding.says + _why(expectation, record)})
    )


def _why(expectation: Expectation, record: NodeCollectives) -> str:
    """Which accelerators are missing, and whether the bandwidth is typical of that number."""
    present = sorted({rank.device for result in record.results for rank in result.ranks})
    missing = [f"GPU {index}" for index in range(expectation.node.accelerators) if index not in present]
    reached = next((_reached(result) for result in record.results if result.collective == "all_reduce"), None)
    key = compare.limits_about(expectation) | {"ranks": str(len(present))}
    row = expectation.limits.find("collective.signature_gbytes_per_s", **key)
    signed = f"; {reached:.4g} GB/s, where {row.source} shows {row.value} GB/s" if row is not None and reached else ""
    return f"; missing: {', '.join(missing) or 'none by number'}{signed}"


def _reached(result: Collective) -> float | None:
    rows = loads.large_rows(result)
    return rows[-1].busbw_gbytes_per_s if rows else None


CHECK = Check(
    reads=NodeCollectives,
    judge=judge,
    applies=loads.runs_collectives,
)
