"""No breaker of the PDU has tripped or is off."""

from rackwright.compare import plant
from rackwright.model.check import PlantCheck, PlantExpectation
from rackwright.model.equipment import RackPdu
from rackwright.model.evidence.plant import RackPower
from rackwright.model.verdict import Finding

CLOSED = "Normal"


def judge(expectation: PlantExpectation, record: RackPower) -> Finding:
    """Read the state of the breaker of every inlet and branch that has one."""
    circuits = [*(record.mains or ()), *(record.branches or ())]
    states = plant.by_name([circuit for circuit in circuits if circuit.breaker], lambda circuit: circuit.breaker)
    return plant.every(
        expectation,
        states,
        lambda state: state == CLOSED,
        what="breakers:",
        expected=CLOSED,
        source="Redfish schema Circuit, BreakerState",
        unread=record.unread,
    )


CHECK = PlantCheck(reads=RackPower, judge=judge, unit=RackPdu)
