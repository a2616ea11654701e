"""The reservoir of the CDU is full."""

from rackwright import compare
from rackwright.compare import plant
from rackwright.model.check import PlantCheck, PlantExpectation
from rackwright.model.equipment import CoolantUnit
from rackwright.model.evidence.plant import Coolant, Reservoir
from rackwright.model.verdict import Finding


def judge(expectation: PlantExpectation, seen: Coolant) -> Finding:
    """Read what every reservoir says of its level; each maker sets its own mark."""
    found = seen.reservoirs or ()
    return plant.every(
        expectation,
        compare.Named([one.status or None for one in found], lambda: [f"{one.name}{level(one)}" for one in found]),
        lambda status: status == "OK",
        what="level of reservoirs:",
        expected="OK",
        source="Redfish schema Reservoir, FluidLevelStatus",
        unread=seen.unread,
    )


def level(one: Reservoir) -> str:
    """The level, for people."""
    return "" if one.level_percent is None else f" at {one.level_percent:g} %"


CHECK = PlantCheck(reads=Coolant, judge=judge, unit=CoolantUnit)
