"""The reservoir of the CDU is full."""

from rackwright.compare import plant
from rackwright.model.check import PlantCheck, PlantExpectation
from rackwright.model.equipment import CoolantUnit
from rackwright.model.evidence.plant import Coolant, Reservoir
from rackwright.model.verdict import Finding


def judge(expectation: PlantExpectation, seen: Coolant) -> Finding:
    """Read what every reservoir says of its level; each maker sets its own mark."""
    return plant.every(
        expectation,
        {f"{one.name}{level(one)}": one.status or None for one in seen.reservoirs or ()},
        lambda status: status == "OK",
        what="level of reservoirs:",
        expected="OK",
        source="Redfish schema Reservoir, FluidLevelStatus",
        unread=seen.unread,
    )


def level(one: Reservoir) -> str:
    """The level, for people."""
    return "" if one.level_percent is None else f" at {one.level_percent:g} %"


CHECK = PlantCheck(title="Reservoir", reads=Coolant, judge=judge, unit=CoolantUnit)
