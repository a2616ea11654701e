"""No accelerator takes longer to the first token than those of like nodes."""

from collections.abc import Mapping, Sequence

from rackwright import compare
from rackwright.compare import fleet_readings, smoke
from rackwright.model.check import Expectation, FleetCheck
from rackwright.model.evidence.smoke import Serving
from rackwright.model.verdict import Finding

CLAIM = compare.Claim("first token", "wait for the first word", "s", high=True, by="share")


def judge(peers: Sequence[tuple[Expectation, fleet_readings.ComparisonPair]]) -> Mapping[str, Finding]:
    """Compare the median time to the first token over the answered requests of every server over all accelerators of all nodes."""
    return compare.compare_with_peers([(expectation, served.first) for expectation, served in peers], CLAIM)


CHECK = FleetCheck(
    reads=Serving,
    takes=fleet_readings.serving_readings,
    judge=judge,
    applies=smoke.runs_smoke_jobs,
)
