"""The load of the PDU is between the least and the peak of the machines behind it."""

from rackwright.compare import plant
from rackwright.model.equipment import RackPdu
from rackwright.model.evidence.plant import RackPower

CHECK = plant.threshold(
    reads=RackPower,
    unit=RackPdu,
    metric="power.least_load_share",
    readings=lambda _, record: {"PDU": record.watts},
    good=lambda pdu, watts, share: pdu.load_watts * share <= watts <= pdu.load_watts,
    what="watts:",
    expected=lambda pdu, share: f"{pdu.load_watts * share:.0f} to {pdu.load_watts:.0f}",
    source="design {unit.name}, load_watts",
    applies=lambda pdu: pdu.load_watts > 0,
    under_load=True,
)
