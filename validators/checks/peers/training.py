"""No accelerator trains slower by itself than those of like nodes."""

from collections.abc import Mapping, Sequence

from rackwright import compare
from rackwright.compare import fleet_readings, smoke
from rackwright.model.check import Expectation, FleetCheck
from rackwright.model.evidence.smoke import Training
from rackwright.model.verdict import Finding

CLAIM = compare.Claim("training", "training of one accelerator", "tokens/s", high=False, by="share")


def judge(peers: Sequence[tuple[Expectation, fleet_readings.ComparisonPair]]) -> Mapping[str, Finding]:
    """Compare the median reading of every accelerator alone over all accelerators of all nodes."""
    return compare.compare_with_peers([(expectation, trained.first) for expectation, trained in peers], CLAIM)


CHECK = FleetCheck(
    reads=Training,
    takes=fleet_readings.training_readings,
    judge=judge,
    applies=smoke.runs_smoke_jobs,
)
