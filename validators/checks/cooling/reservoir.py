"""The reservoir of the CDU is full."""

from rackwright import compare
from rackwright.compare import plant
from rackwright.model.check import PlantCheck, PlantExpectation
from rackwright.model.equipment import CoolantUnit
from rackwright.model.evidence.plant import CoolantReading, Reservoir
from rackwright.model.verdict import Finding


def judge(expectation: PlantExpectation, record: CoolantReading) -> Finding:
    """Read the level status of every reservoir; each maker sets its own threshold."""
    reservoirs = record.reservoirs or ()
    return plant.every(
        expectation,
        compare.NamedReadings(
            [reservoir.status or None for reservoir in reservoirs],
            lambda: [f"{reservoir.name}{level(reservoir)}" for reservoir in reservoirs],
        ),
        lambda status: status == "OK",
        what="level of reservoirs:",
        expected="OK",
        source="Redfish schema Reservoir, FluidLevelStatus",
        unread=record.unread,
    )


def level(reservoir: Reservoir) -> str:
    """The level in words."""
    return "" if reservoir.level_percent is None else f" at {reservoir.level_percent:g} %"


CHECK = PlantCheck(reads=CoolantReading, judge=judge, unit=CoolantUnit)
