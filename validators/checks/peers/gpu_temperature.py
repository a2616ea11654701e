"""No accelerator is hotter than the accelerators in the same position of like nodes, at the same performance state."""

from collections.abc import Mapping, Sequence

from rackwright import compare
from rackwright.compare import fleet_readings
from rackwright.compare.applicability import has_capability
from rackwright.model.check import Expectation, FleetCheck
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding

CLAIM = compare.Claim("accelerator temperature", "accelerator temperature", "celsius", high=True, by="kelvin")


def judge(peers: Sequence[tuple[Expectation, fleet_readings.Cards]]) -> Mapping[str, Finding]:
    """Compare every position of the chassis over all nodes; idle parts are compared with idle parts."""
    return compare.compare_with_peers([(expectation, cards.temperatures) for expectation, cards in peers], CLAIM)


CHECK = FleetCheck(
    reads=Accelerators,
    takes=fleet_readings.accelerator_readings,
    judge=judge,
    applies=has_capability("temperature"),
)
