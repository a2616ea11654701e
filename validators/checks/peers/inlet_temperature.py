"""No node takes in warmer air than like nodes, and no rack, row or cooling loop is warmer than the others."""

from collections.abc import Mapping

from rackwright import compare
from rackwright.model.check import FleetCheck
from rackwright.model.evidence.bmc import BmcEvidence
from rackwright.model.verdict import Finding

CLAIM = compare.Claim("inlet temperature", "inlet temperature", "celsius", high=True, by="kelvin")


def judge(peers: compare.Fleet) -> Mapping[str, Finding]:
    """Compare sensors of the same name over all nodes."""
    return compare.compare_with_peers(peers, CLAIM)


def _readings(record: BmcEvidence) -> compare.Readings:
    intakes = [sensor for sensor in record.sensors or [] if sensor.kind == "Temperature" and sensor.place == "Intake"]
    names = [sensor.name for sensor in intakes]
    return compare.readings(names, names, [sensor.reading for sensor in intakes])


CHECK = FleetCheck(
    reads=BmcEvidence,
    takes=_readings,
    judge=judge,
    applies=compare.has_accelerators,
)
