"""Every line of the inlet has the voltage of its circuit."""

from rackwright.compare import plant
from rackwright.model.equipment import RackPdu
from rackwright.model.evidence.plant import RackPower

CHECK = plant.threshold(
    reads=RackPower,
    unit=RackPdu,
    metric="power.voltage_off",
    readings=lambda _, record: plant.by_line(record.mains, "volts"),
    good=lambda pdu, volts, off: any(abs(volts / nominal - 1) <= off for nominal in plant.nominal_volts(pdu.circuit)),
    what="volts of inlet lines:",
    expected=lambda pdu, off: "within {:.0%} of {} between lines or {:.0f} to neutral".format(
        off, *plant.nominal_volts(pdu.circuit)
    ),
    source="site facility.power.circuit, volts",
    unread=lambda record: record.unread,
)
