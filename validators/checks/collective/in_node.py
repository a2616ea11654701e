"""Collectives of all accelerators of a node reach the bus bandwidth of their kind, on a path that the log proves for every rank."""

from rackwright import compare
from rackwright.compare import loads
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.collective import Collective, NodeCollectives
from rackwright.model.verdict import Finding, Outcome, Unlimited


def judge(expectation: Expectation, record: NodeCollectives) -> Finding:
    """Judge every collective at the largest size with a limit, at least one GiB; the tool's average is not used."""
    findings = [_judged(expectation, result) for result in record.results]
    return (
        loads.combine_findings(findings) if findings else compare.no_limit(expectation, "collective.busbw_gbytes_per_s")
    )


def _judged(expectation: Expectation, result: Collective) -> Finding:

    def what() -> str:
        return f"{result.collective} of {len(result.ranks)} ranks"

    short = loads.untested_finding(expectation, len(result.ranks), what)
    transport = loads.proven_transport(result)
    if short is not None:
        return short
    if not transport:
        return compare.finding(
            expectation,
            Outcome.INCONCLUSIVE,
            what=what,
            observed=f"no path proven ({loads.bandwidth_curve(result)} GB/s)",
            expected="a path that the library's log proves for every rank",
            source="debug output of the library",
        )
    about = {"collective": result.collective, "nodes": str(len(result.nodes)), "transport": transport}
    metric = "collective.busbw_gbytes_per_s"
    sizes = ((row, loads.size_name(row)) for row in reversed(loads.large_rows(result)))
    largest = next(((row, size) for row, size in sizes if compare.limit(expectation, metric, size=size, **about)), None)
    if largest is None:
        unlimited = [
            Unlimited(metric=metric, key={**about, "size": loads.size_name(row)}, value=row.busbw_gbytes_per_s)
            for row in loads.large_rows(result)[-1:]
        ]
        return compare.no_limit(expectation, f"{metric} {result.collective} over {transport}", unlimited)
    best, size = largest
    return compare.at_least(
        expectation,
        {f"{result.collective} {size}": best.busbw_gbytes_per_s},
        metric,
        what=lambda: f"{what()} over {transport} ({loads.bandwidth_curve(result)} GB/s); {size}",
        size=size,
        **about,
    )


CHECK = Check(
    reads=NodeCollectives,
    judge=judge,
    applies=loads.runs_collectives,
)
