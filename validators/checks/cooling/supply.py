"""The coolant supplied to the racks has the temperature that the site declares."""

from rackwright.compare import limits, plant
from rackwright.model.check import PlantCheck, PlantExpectation
from rackwright.model.equipment import CoolantUnit
from rackwright.model.evidence.plant import CoolantReading
from rackwright.model.verdict import Finding


def judge(expectation: PlantExpectation, record: CoolantReading) -> Finding:
    """Compare the temperature of every connector with the declared one."""
    declared_celsius = plant.cdu(expectation).liquid.supply_celsius
    row = plant.limit(expectation, "cooling.supply_off")
    if row is None:
        return plant.no_limit(expectation, "cooling.supply_off")
    off = limits.number(row)
    return plant.every(
        expectation,
        plant.by_name(record.secondary, lambda connector: connector.supply_celsius),
        lambda celsius: abs(celsius - declared_celsius) <= off,
        what="coolant towards the racks, celsius:",
        expected=f"{declared_celsius:g} to within {off:g} K",
        source=f"site facility.liquid, supply_celsius; {limits.limit_source(row)}",
        unread=record.unread,
    )


CHECK = PlantCheck(reads=CoolantReading, judge=judge, unit=CoolantUnit)
