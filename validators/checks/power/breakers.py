"""No breaker of the PDU has tripped or is off."""

from rackwright.compare import plant
from rackwright.model.check import PlantCheck, PlantExpectation
from rackwright.model.equipment import RackPdu
from rackwright.model.evidence.plant import RackPower
from rackwright.model.verdict import Finding

CLOSED = "Normal"


def judge(expectation: PlantExpectation, seen: RackPower) -> Finding:
    """Read the state of the breaker of every inlet and branch that has one."""
    circuits = [*(seen.mains or ()), *(seen.branches or ())]
    states = plant.by_name([one for one in circuits if one.breaker], lambda one: one.breaker)
    return plant.every(
        expectation,
        states,
        lambda state: state == CLOSED,
        what="breakers:",
        expected=CLOSED,
        source="Redfish schema Circuit, BreakerState",
        unread=seen.unread,
    )


CHECK = PlantCheck(reads=RackPower, judge=judge, unit=RackPdu)
