"""Under the same load no accelerator has slower clocks than those of like nodes."""

from collections.abc import Mapping, Sequence

from rackwright import compare
from rackwright.compare import fleet_readings, loads
from rackwright.model.check import Expectation, FleetCheck
from rackwright.model.evidence.load import Burn
from rackwright.model.verdict import Finding

CLAIM = compare.Claim("burn clock", "clock under load", "MHz", high=False, by="share")


def judge(peers: Sequence[tuple[Expectation, fleet_readings.Burned]]) -> Mapping[str, Finding]:
    """Compare the second half of the burn over all accelerators of all nodes."""
    return compare.compare_with_peers([(expectation, burned.clocks) for expectation, burned in peers], CLAIM)


CHECK = FleetCheck(
    reads=Burn,
    takes=fleet_readings.burn_readings,
    judge=judge,
    applies=loads.runs_burns,
)
