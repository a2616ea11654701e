"""Inside a node every rank uses NVLS or the links, never host memory or a network."""

from rackwright import compare
from rackwright.compare import loads
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.collective import Collective, NodeCollectives, Rank
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: NodeCollectives) -> Finding:
    """Compare the transport that the log proves for each rank with the limit; a rank without proof makes the verdict inconclusive."""
    findings = [_judged(expectation, result) for result in record.results]
    return loads.combine_findings(findings) if findings else compare.no_limit(expectation, "collective.transport")


def _judged(expectation: Expectation, result: Collective) -> Finding:
    row = compare.limit(expectation, "collective.transport", collective=result.collective)
    if row is None:
        return compare.no_limit(expectation, f"collective.transport {result.collective}")
    allowed = compare.words(row)

    def way(rank: Rank) -> str | None:
        """The allowed transport that is proven, otherwise all proven ones."""
        wrong = {"shm", "socket", "infiniband", "roce", "efa", "ethernet", "other"} & set(rank.transports)
        good = [transport for transport in allowed if transport in rank.transports]
        return ", ".join(sorted(wrong) or good[:1] or rank.transports) or None

    return compare.every(
        expectation,
        {f"GPU {rank.device} ({rank.pci_bus_id})": way(rank) for rank in result.ranks},
        lambda transport: transport in allowed,
        what=f"{result.collective} over",
        expected=" or ".join(allowed),
        source=compare.limit_source(row),
    )


CHECK = Check(
    reads=NodeCollectives,
    judge=judge,
    applies=loads.runs_collectives,
)
