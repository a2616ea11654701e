"""No line of the PDU carries more than the continuous rating of its circuit."""

from rackwright.compare import plant
from rackwright.model.check import PlantCheck, PlantExpectation
from rackwright.model.equipment import RackPdu
from rackwright.model.evidence.plant import RackPower
from rackwright.model.verdict import Finding


def judge(expectation: PlantExpectation, record: RackPower) -> Finding:
    """Compare the current of every line of every inlet with the derated rating of the circuit."""
    circuit = plant.pdu(expectation).circuit
    most = circuit.amps * circuit.derating
    return plant.every(
        expectation,
        plant.by_line(record.mains, "amps"),
        lambda amps: amps <= most,
        what="amps of inlet lines:",
        expected=f"at most {most:g} of {circuit.amps} A",
        source="site facility.power.circuit, amps and derating",
        unread=record.unread,
    )


CHECK = PlantCheck(reads=RackPower, judge=judge, unit=RackPdu)
