"""No node is slower in collectives among its own accelerators than like nodes."""

from collections.abc import Mapping

from rackwright import compare
from rackwright.compare import loads
from rackwright.model.check import FleetCheck
from rackwright.model.evidence.collective import Collective, NodeCollectives
from rackwright.model.verdict import Finding

CLAIM = compare.Claim("collectives", "bus bandwidth", "GB/s", high=False, by="share")


def judge(peers: compare.Fleet) -> Mapping[str, Finding]:
    """Compare the largest size of every operation with the same number of ranks and the same library."""
    return compare.compare_with_peers(peers, CLAIM)


def _readings(record: NodeCollectives) -> compare.Readings:
    rows = [[(row.bytes, row.busbw_gbytes_per_s) for row in result.rows] for result in record.results]
    largest = [max(points)[0] if points else 0 for points in rows]
    return compare.readings(
        [result.collective for result in record.results],
        [_slot(result, most) for result, most in zip(record.results, largest, strict=True)],
        [
            compare.middle([reached for size, reached in points if size == most])
            for points, most in zip(rows, largest, strict=True)
        ],
    )


def _slot(result: Collective, most: int) -> str:
    return f"{result.collective} of {most} B, {len(result.ranks)} ranks, {result.library} {result.library_version}"


CHECK = FleetCheck(
    reads=NodeCollectives,
    takes=_readings,
    judge=judge,
    applies=loads.runs_collectives,
)
