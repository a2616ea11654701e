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
    largest = [max([row.bytes for row in one.rows], default=0) for one in seen.results]
    return compare.readings(
        [one.collective for one in seen.results],
        [_slot(one, most) for one, most in zip(seen.results, largest, strict=True)],
        [
            compare.middle([row.busbw_gbytes_per_s for row in one.rows if row.bytes == most])
            for one, most in zip(seen.results, largest, strict=True)
        ],
    )


def _slot(one: Collective, most: int) -> str:
    return f"{one.collective} of {most} B, {len(one.ranks)} ranks, {one.library} {one.library_version}"


CHECK = FleetCheck(
    title="Collectives as fast as its peers'",
    reads=NodeCollectives,
    takes=_readings,
    judge=judge,
    applies=loads.runs_collectives,
)
