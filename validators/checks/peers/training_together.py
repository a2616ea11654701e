"""No node trains slower with all its accelerators together than like nodes."""

from collections.abc import Mapping, Sequence

from rackwright import compare
from rackwright.compare import fleet_readings, smoke
from rackwright.model.check import Expectation, FleetCheck
from rackwright.model.evidence.smoke import Training
from rackwright.model.verdict import Finding

CLAIM = compare.Claim("training", "training of the node", "tokens/s", high=False, by="share")


def judge(peers: Sequence[tuple[Expectation, fleet_readings.ComparisonPair]]) -> Mapping[str, Finding]:
    """Compare the median of the later blocks with nodes of as many ranks."""
    return compare.compare_with_peers([(expectation, trained.second) for expectation, trained in peers], CLAIM)


CHECK = FleetCheck(
    reads=Training,
    takes=fleet_readings.training_readings,
    judge=judge,
    applies=smoke.runs_smoke_jobs,
)
