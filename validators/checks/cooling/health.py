"""The CDU says of itself that it is well."""

from rackwright.compare import plant
from rackwright.model.check import PlantCheck, PlantExpectation
from rackwright.model.equipment import CoolantUnit
from rackwright.model.evidence.plant import Coolant
from rackwright.model.verdict import Finding


def judge(expectation: PlantExpectation, seen: Coolant) -> Finding:
    """Read the health of the unit."""
    return plant.every(
        expectation,
        {"CDU": seen.unit.health or None},
        lambda health: health == "OK",
        what="health:",
        expected="OK",
        source="Redfish schema Resource, Status.Health",
    )


CHECK = PlantCheck(reads=Coolant, judge=judge, unit=CoolantUnit)
