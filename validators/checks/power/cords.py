"""As many outlets of the PDU carry power as the design plugs supplies into it, and none is switched off."""

from rackwright.compare import plant
from rackwright.model.check import PlantCheck, PlantExpectation
from rackwright.model.equipment import RackPdu
from rackwright.model.evidence.plant import RackPower
from rackwright.model.verdict import Finding


def judge(expectation: PlantExpectation, seen: RackPower) -> Finding:
    """Count the outlets that carry power; outlets are named differently by every maker, so they are not matched one by one."""
    wanted = plant.pdu(expectation).cords
    outlets = seen.outlets or ()
    told = [one for one in outlets if one.watts is not None]
    drawing = None if not told or len(told) < len(outlets) or seen.unread else sum(1 for one in told if one.watts)
    off = [one.name for one in outlets if one.state == "Off"]
    shown = f" (off: {', '.join(off)})" if off else ""
    finding = plant.every(
        expectation,
        {"outlets": drawing},
        lambda count: count >= wanted and not off,
        what="outlets that carry power:",
        expected=f"{wanted}, none switched off",
        source=plant.source(expectation, "psus"),
    )
    return finding.model_copy(update={"says": finding.says + shown, "observed": finding.observed + shown})


CHECK = PlantCheck(reads=RackPower, judge=judge, unit=RackPdu)
