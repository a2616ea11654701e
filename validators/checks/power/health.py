"""The PDU says of itself and of its inlets that they are well."""

from rackwright.compare import plant
from rackwright.model.check import PlantCheck, PlantExpectation
from rackwright.model.equipment import RackPdu
from rackwright.model.evidence.plant import RackPower
from rackwright.model.verdict import Finding


def judge(expectation: PlantExpectation, seen: RackPower) -> Finding:
    """Read the health of the PDU and of every circuit."""
    circuits = [*(seen.mains or ()), *(seen.branches or ())]
    said = {
        "PDU": seen.unit.health or None,
        **plant.by_name([one for one in circuits if one.health], lambda one: one.health),
    }
    return plant.every(
        expectation,
        said,
        lambda health: health == "OK",
        what="health:",
        expected="OK",
        source="Redfish schema Resource, Status.Health",
        unread=seen.unread,
    )


CHECK = PlantCheck(reads=RackPower, judge=judge, unit=RackPdu)
