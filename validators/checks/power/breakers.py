"""No breaker of the PDU has tripped or is off, and its inlet is rated for the circuit of the design."""

from rackwright.compare import plant
from rackwright.model.check import PlantCheck, PlantExpectation
from rackwright.model.equipment import RackPdu
from rackwright.model.evidence.plant import RackPower
from rackwright.model.verdict import Finding

CLOSED = "Normal"


def judge(expectation: PlantExpectation, record: RackPower) -> Finding:
    """Read the state of the breaker of every inlet and branch that has one, and what the inlets may carry.

    The rating is compared with the circuit after de-rating: the schema asks for that figure, and a controller that gives the plate's is above it.
    """
    unit = plant.pdu(expectation)
    needed = unit.circuit.amps * unit.circuit.derating
    circuits = [*(record.mains or ()), *(record.branches or ())]
    states = plant.by_name([circuit for circuit in circuits if circuit.breaker], lambda circuit: circuit.breaker)
    small = {
        circuit.name: f"rated {circuit.rated_amps:g} A"
        for circuit in record.mains or ()
        if circuit.rated_amps is not None and circuit.rated_amps < needed
    }
    finding = plant.every(
        expectation,
        {**states, **small},
        lambda state: state == CLOSED,
        what="breakers:",
        expected=f"{CLOSED}, inlets rated {needed:g} A or more",
        source="Redfish schema Circuit, BreakerState, RatedCurrentAmps; site facility.power.circuit",
        unread=record.unread,
    )
    if small and all(state == CLOSED for state in states.values()):
        step = "Read the plate of the PDU; hang one of the model in the design before the rack is loaded"
        return finding.model_copy(update={"next_step": step})
    return finding


CHECK = PlantCheck(reads=RackPower, judge=judge, unit=RackPdu)
