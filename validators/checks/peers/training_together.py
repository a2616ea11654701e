"""No node trains slower with all its accelerators together than like nodes."""

from collections.abc import Mapping

from rackwright import compare
from rackwright.compare import loads, smoke
from rackwright.model.check import FleetCheck
from rackwright.model.evidence.smoke import Training
from rackwright.model.verdict import Finding

CLAIM = compare.Claim("training", "training of the node", "tokens/s", high=False, by="share")


def judge(peers: compare.Fleet) -> Mapping[str, Finding]:
    """Compare the median of the later blocks with nodes of as many ranks."""
    return compare.beside(peers, CLAIM)


def _readings(seen: Training) -> compare.Readings:
    slot = f"{len(seen.ranks)} ranks, {seen.parameters} parameters, {seen.tool}, {seen.backend}"
    return compare.readings(["all accelerators"], [slot], [loads.late([one.tokens_per_s for one in seen.blocks])])


CHECK = FleetCheck(
    title="Training together as fast as its peers",
    reads=Training,
    takes=_readings,
    judge=judge,
    applies=smoke.runs,
)
