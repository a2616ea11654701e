"""Every line of the inlet has the voltage of its circuit."""

from rackwright.compare import plant
from rackwright.model.equipment import RackPdu
from rackwright.model.evidence.plant import RackPower


def nominal_volts(pdu: RackPdu) -> tuple[float, float]:
    """Between lines and to neutral: a PDU is wired one way or the other."""
    return pdu.circuit.volts, pdu.circuit.volts / plant.TO_NEUTRAL


CHECK = plant.threshold(
    reads=RackPower,
    unit=RackPdu,
    metric="power.voltage_off",
    readings=lambda _, record: plant.by_line(record.mains, "volts"),
    good=lambda pdu, volts, off: any(abs(volts / nominal - 1) <= off for nominal in nominal_volts(pdu)),
    what="volts of inlet lines:",
    expected=lambda pdu, off: "within {:.0%} of {} between lines or {:.0f} to neutral".format(off, *nominal_volts(pdu)),
    source="site facility.power.circuit, volts",
    unread=lambda record: record.unread,
)
