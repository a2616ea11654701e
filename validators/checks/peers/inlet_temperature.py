"""No node takes in warmer air than like nodes, and no rack, row or cooling loop is warmer than the others."""

from collections.abc import Mapping

from rackwright import compare
from rackwright.model.check import FleetCheck
from rackwright.model.evidence.bmc import Bmc
from rackwright.model.verdict import Finding

CLAIM = compare.Claim("inlet temperature", "inlet temperature", "celsius", high=True, by="kelvin")


def judge(peers: compare.Fleet) -> Mapping[str, Finding]:
    """Compare sensors of the same name over all nodes."""
    return compare.beside(peers, CLAIM)


def _readings(seen: Bmc) -> compare.Readings:
    intakes = [one for one in seen.sensors or [] if one.kind == "Temperature" and one.place == "Intake"]
    names = [one.name for one in intakes]
    return compare.readings(names, names, [one.reading for one in intakes])


CHECK = FleetCheck(
    reads=Bmc,
    takes=_readings,
    judge=judge,
    applies=compare.has_accelerators,
)
