"""Under the same load no accelerator draws less power than those of like nodes: less power means less work."""

from collections.abc import Mapping, Sequence

from rackwright import compare
from rackwright.compare import fleet_readings, loads
from rackwright.model.check import Expectation, FleetCheck
from rackwright.model.evidence.load import Burn
from rackwright.model.verdict import Finding

CLAIM = compare.Claim("burn power", "power under load", "W", high=False, by="share")


def judge(peers: Sequence[tuple[Expectation, fleet_readings.Burned]]) -> Mapping[str, Finding]:
    """Compare the second half of the burn over all accelerators of all nodes."""
    return compare.compare_with_peers([(expectation, burned.powers) for expectation, burned in peers], CLAIM)


CHECK = FleetCheck(
    reads=Burn,
    takes=fleet_readings.burn_readings,
    judge=judge,
    applies=loads.runs_burns,
)
