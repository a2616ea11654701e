"""No accelerator trains slower by itself than those of like nodes."""

from collections.abc import Mapping

from rackwright import compare
from rackwright.compare import smoke
from rackwright.model.check import FleetCheck
from rackwright.model.evidence.smoke import Training
from rackwright.model.verdict import Finding

CLAIM = compare.Claim("training", "training of one accelerator", "tokens/s", high=False, by="share")


def judge(peers: compare.Fleet) -> Mapping[str, Finding]:
    """Compare the median reading of every accelerator alone over all accelerators of all nodes."""
    return compare.beside(peers, CLAIM)


def _readings(seen: Training) -> compare.Readings:
    slot = f"{seen.parameters} parameters, {seen.tool}"
    values = [compare.middle(one.tokens_per_s) for one in seen.ranks]
    return compare.readings(map(smoke.name, seen.ranks), [slot] * len(values), values)


CHECK = FleetCheck(
    title="Training as fast as its peers'", reads=Training, takes=_readings, judge=judge, applies=smoke.runs
)
