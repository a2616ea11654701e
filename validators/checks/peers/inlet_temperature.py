"""No node takes in warmer air than like nodes, and no rack, row or cooling loop is warmer than the others."""

from collections.abc import Mapping

from rackwright import compare
from rackwright.compare import bmc
from rackwright.model.check import FleetCheck
from rackwright.model.evidence.bmc import BmcEvidence
from rackwright.model.verdict import Finding

CLAIM = compare.Claim("inlet temperature", "inlet temperature", "celsius", high=True, by="kelvin")


def judge(peers: compare.Fleet) -> Mapping[str, Finding]:
    """Compare sensors of the same name over all nodes; a node whose BMC has none at its inlet gets an advisory finding."""
    silent = [
        expectation
        for expectation, readings in peers
        if not isinstance(readings, compare.Readings) or not readings.parts
    ]
    names = {expectation.node.name for expectation in silent}
    compared = compare.compare_with_peers([peer for peer in peers if peer[0].node.name not in names], CLAIM)
    return compared | {
        expectation.node.name: bmc.not_reported(expectation, what=CLAIM.what, expected="that of its peers")
        for expectation in silent
    }


def _readings(record: BmcEvidence) -> compare.Readings:
    if record.sensors is None or bmc.unread(record, "sensors"):
        return compare.readings(["the inlet"], ["the inlet"], [None])
    intakes = [sensor for sensor in record.sensors if sensor.kind == "Temperature" and sensor.place == "Intake"]
    names = [sensor.name for sensor in intakes]
    return compare.readings(names, names, [sensor.reading for sensor in intakes])


CHECK = FleetCheck(
    reads=BmcEvidence,
    takes=_readings,
    judge=judge,
    applies=compare.has_accelerators,
)
