"""The power shelf reports itself, its inlets and the redundancy of its rectifiers healthy."""

from rackwright.compare import bmc, plant
from rackwright.model.check import PlantCheck, PlantExpectation
from rackwright.model.equipment import ShelfUnit
from rackwright.model.evidence.plant import ShelfPower
from rackwright.model.verdict import Finding


def judge(expectation: PlantExpectation, record: ShelfPower) -> Finding:
    """Read the health of the shelf (or of its rectifiers if the shelf reports none), of every inlet and of the group of
    rectifiers.
    """
    named = plant.by_name([unit for unit in record.rectifiers or () if unit.health], lambda unit: unit.health)
    health_by_part = {
        **({"shelf": record.unit.health} if record.unit.health else named if record.rectifiers else {"shelf": None}),
        **plant.by_name([circuit for circuit in record.mains or () if circuit.health], lambda circuit: circuit.health),
        **({"group of rectifiers": record.redundancy} if record.redundancy else {}),
    }
    if not health_by_part and record.rectifiers and not record.unread:
        return bmc.not_reported(expectation, what="health", expected="OK")
    return plant.healthy(expectation, health_by_part, unread=record.unread)


CHECK = PlantCheck(reads=ShelfPower, judge=judge, unit=ShelfUnit)
