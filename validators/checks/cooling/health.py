"""The CDU reports itself healthy."""

from rackwright.compare import plant
from rackwright.model.check import PlantCheck, PlantExpectation
from rackwright.model.equipment import CoolantUnit
from rackwright.model.evidence.plant import CoolantReading
from rackwright.model.verdict import Finding


def judge(expectation: PlantExpectation, record: CoolantReading) -> Finding:
    """Read the health of the unit."""
    return plant.healthy(expectation, {"CDU": record.unit.health or None})


CHECK = PlantCheck(reads=CoolantReading, judge=judge, unit=CoolantUnit)
