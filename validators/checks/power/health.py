"""The PDU reports itself and its inlets healthy."""

from rackwright.compare import plant
from rackwright.model.check import PlantCheck, PlantExpectation
from rackwright.model.equipment import RackPdu
from rackwright.model.evidence.plant import RackPower
from rackwright.model.verdict import Finding


def judge(expectation: PlantExpectation, record: RackPower) -> Finding:
    """Read the health of the PDU and of every circuit."""
    circuits = [*(record.mains or ()), *(record.branches or ())]
    health_by_part = {
        "PDU": record.unit.health or None,
        **plant.by_name([circuit for circuit in circuits if circuit.health], lambda circuit: circuit.health),
    }
    return plant.healthy(expectation, health_by_part, unread=record.unread)


CHECK = PlantCheck(reads=RackPower, judge=judge, unit=RackPdu)
