"""No node reaches less in collectives among its own accelerators than like nodes."""

from collections.abc import Mapping

from rackwright import compare
from rackwright.compare import loads
from rackwright.model.check import FleetCheck
from rackwright.model.evidence.collective import Collective, NodeCollectives
from rackwright.model.verdict import Finding

CLAIM = compare.Claim("collectives", "bus bandwidth", "GB/s", high=False, by="share")


def judge(peers: compare.Fleet) -> Mapping[str, Finding]:
    """Compare the largest size of every operation with the same number of ranks and the same library."""
    return compare.beside(peers, CLAIM)


def _readings(seen: NodeCollectives) -> compare.Readings:
    rows = [[(row.bytes, row.busbw_gbytes_per_s) for row in one.rows] for one in seen.results]
    largest = [max(one)[0] if one else 0 for one in rows]
    return compare.readings(
        [one.collective for one in seen.results],
        [_slot(one, most) for one, most in zip(seen.results, largest, strict=True)],
        [
            compare.middle([reached for size, reached in one if size == most])
            for one, most in zip(rows, largest, strict=True)
        ],
    )


def _slot(one: Collective, most: int) -> str:
    return f"{one.collective} of {most} B, {len(one.ranks)} ranks, {one.library} {one.library_version}"


CHECK = FleetCheck(
    reads=NodeCollectives,
    takes=_readings,
    judge=judge,
    applies=loads.runs_collectives,
)
