"""The coolant that the racks get has the temperature of the site."""

from rackwright.compare import limits, plant
from rackwright.model.check import PlantCheck, PlantExpectation
from rackwright.model.equipment import CoolantUnit
from rackwright.model.evidence.plant import Coolant
from rackwright.model.verdict import Finding


def judge(expectation: PlantExpectation, seen: Coolant) -> Finding:
    """Compare the temperature of every connector with the declared one."""
    wanted = plant.cdu(expectation).liquid.supply_celsius
    row = plant.limit(expectation, "cooling.supply_off")
    if row is None:
        return plant.no_limit(expectation, "cooling.supply_off")
    off = limits.number(row)
    return plant.every(
        expectation,
        plant.by_name(seen.secondary, lambda one: one.supply_celsius),
        lambda celsius: abs(celsius - wanted) <= off,
        what="coolant towards the racks, celsius:",
        expected=f"{wanted:g} to within {off:g} K",
        source=f"site facility.liquid, supply_celsius; {limits.limit_source(row)}",
        unread=seen.unread,
    )


CHECK = PlantCheck(reads=Coolant, judge=judge, unit=CoolantUnit)
