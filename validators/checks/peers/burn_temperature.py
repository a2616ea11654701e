"""Under the same load no accelerator is hotter than those in the same position of like nodes."""

from collections.abc import Mapping, Sequence

from rackwright import compare
from rackwright.compare import fleet_readings, loads
from rackwright.model.check import Expectation, FleetCheck
from rackwright.model.evidence.load import Burn
from rackwright.model.verdict import Finding

CLAIM = compare.Claim("burn temperature", "temperature under load", "celsius", high=True, by="kelvin")


def judge(peers: Sequence[tuple[Expectation, fleet_readings.Burned]]) -> Mapping[str, Finding]:
    """Compare the second half of the burn, when heat has settled, by position in the chassis."""
    return compare.compare_with_peers([(expectation, burned.temperatures) for expectation, burned in peers], CLAIM)


CHECK = FleetCheck(
    reads=Burn,
    takes=fleet_readings.burn_readings,
    judge=judge,
    applies=loads.runs_burns,
)
