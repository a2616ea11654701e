"""Over nodes every accelerator sends by RDMA from its own memory, every rail is used, and nothing uses TCP."""

from rackwright import compare
from rackwright.compare import loads
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.collective import Collective, Collectives, Rank
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Collectives) -> Finding:
    """Check transport, GPUDirect and adapters of the node's ranks in every result."""
    row = compare.limit(expectation, "collective.network")
    if row is None:
        return compare.no_limit(expectation, "collective.network")
    allowed, name = compare.words(row), expectation.node.name

    def way(rank: Rank) -> str | None:
        across = [transport for transport in rank.transports if transport not in ("p2p", "nvls", "shm")]
        direct = "mnnvl" in across or rank.gpudirect is True
        path = ", ".join(across)
        return None if not across else path if direct else f"{path} without GPUDirect"

    ranks = {
        f"GPU {rank.device} in {result.collective} on {', '.join(result.nodes)}": way(rank)
        for result in record.results
        for rank in result.ranks
        if rank.node == name
    }
    finding = compare.every(
        expectation,
        ranks,
        lambda transport: transport in allowed,
        what="path over the network",
        expected=f"{' or '.join(allowed)}, with GPUDirect",
        source=compare.limit_source(row),
    )
    return loads.combine_findings([finding, *_rails(expectation, record.results)])


def _rails(expectation: Expectation, results: list[Collective]) -> list[Finding]:
    """Findings on the planned rails: each must be among the adapters of some rank, if the network was used at all."""
    ranks = [rank for result in results for rank in result.ranks if rank.node == expectation.node.name]
    used = {name for rank in ranks for name in rank.adapters}
    networked = any({"infiniband", "roce"} & set(rank.transports) for rank in ranks)
    carries = {
        rail: ("used" if rail in used else "unused") if used else None for rail in loads.planned_rails(expectation)
    }
    if not networked or not carries:
        return []
    return [
        compare.every(
            expectation,
            carries,
            lambda state: state == "used",
            what="rails in collectives",
            expected="every rail used",
            source="cable plan",
        )
    ]


CHECK = Check(
    reads=Collectives,
    judge=judge,
    applies=loads.runs_between,
)
