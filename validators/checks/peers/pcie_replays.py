"""No accelerator repeats more packets on its host link than the accelerators of like nodes."""

from collections.abc import Mapping, Sequence

from rackwright import compare
from rackwright.compare import fleet_readings
from rackwright.compare.applicability import has_capability
from rackwright.model.check import Expectation, FleetCheck
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding

CLAIM = compare.Claim("pcie replays", "repeated PCIe packets", "packets", high=True, by="count")


def judge(peers: Sequence[tuple[Expectation, fleet_readings.Cards]]) -> Mapping[str, Finding]:
    """Compare all accelerators of all nodes; a slot that differs on every node is named as a rail."""
    return compare.compare_with_peers([(expectation, cards.replays) for expectation, cards in peers], CLAIM)


CHECK = FleetCheck(
    reads=Accelerators,
    takes=fleet_readings.accelerator_readings,
    judge=judge,
    applies=has_capability("pcie_replays"),
)
