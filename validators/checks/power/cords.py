"""As many outlets of the PDU carry power as the design connects power supplies to it, and none is switched off."""

from rackwright.compare import plant
from rackwright.model.check import PlantCheck, PlantExpectation
from rackwright.model.equipment import RackPdu
from rackwright.model.evidence.plant import RackPower
from rackwright.model.verdict import Finding


def judge(expectation: PlantExpectation, record: RackPower) -> Finding:
    """Count the outlets that carry power; makers name outlets differently, so they are not matched by name."""
    planned = plant.pdu(expectation).cords
    outlets = record.outlets or ()
    read = [outlet for outlet in outlets if outlet.watts is not None]
    drawing = (
        None if not read or len(read) < len(outlets) or record.unread else sum(1 for outlet in read if outlet.watts)
    )
    off = [outlet.name for outlet in outlets if outlet.state == "Off"]
    suffix = f" (off: {', '.join(off)})" if off else ""
    finding = plant.every(
        expectation,
        {"outlets": drawing},
        lambda count: count >= planned and not off,
        what="outlets that carry power:",
        expected=f"{planned}, none switched off",
        source=plant.source(expectation, "psus"),
    )
    return finding.model_copy(update={"says": finding.says + suffix, "observed": finding.observed + suffix})


CHECK = PlantCheck(reads=RackPower, judge=judge, unit=RackPdu, under_load=True)
