"""Every line of the inlet has the voltage of its circuit."""

from rackwright.compare import limits, plant
from rackwright.model.check import PlantCheck, PlantExpectation
from rackwright.model.equipment import RackPdu
from rackwright.model.evidence.plant import RackPower
from rackwright.model.verdict import Finding


def judge(expectation: PlantExpectation, record: RackPower) -> Finding:
    """Compare every line with the nominal voltage, to neutral or between lines as the PDU is wired."""
    row = plant.limit(expectation, "power.voltage_off")
    if row is None:
        return plant.no_limit(expectation, "power.voltage_off")
    between = plant.pdu(expectation).circuit.volts
    nominal = (between, between / plant.TO_NEUTRAL)
    return plant.every(
        expectation,
        plant.by_line(record.mains, "volts"),
        lambda volts: any(abs(volts / nominal_volts - 1) <= limits.number(row) for nominal_volts in nominal),
        what="volts of inlet lines:",
        expected=f"within {limits.number(row):.0%} of {nominal[0]} between lines or {nominal[1]:.0f} to neutral",
        source=f"site facility.power.circuit, volts; {limits.limit_source(row)}",
        unread=record.unread,
    )


CHECK = PlantCheck(reads=RackPower, judge=judge, unit=RackPdu)
