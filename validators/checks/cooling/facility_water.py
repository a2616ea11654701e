"""The facility water is no warmer than the site declares."""

from rackwright import compare
from rackwright.compare import limits, plant
from rackwright.model.check import PlantCheck, PlantExpectation
from rackwright.model.equipment import CoolantUnit
from rackwright.model.evidence.plant import CoolantReading
from rackwright.model.verdict import Finding


def judge(expectation: PlantExpectation, record: CoolantReading) -> Finding:
    """Compare the temperature of every connector with the declared one."""
    declared = plant.cdu(expectation).liquid.facility_water
    assert declared is not None, "it is judged where it is declared alone"
    declared_celsius = declared.supply_celsius
    row = plant.limit(expectation, "cooling.water_off")
    if row is None:
        return plant.no_limit(expectation, "cooling.water_off")
    off = limits.number(row)
    return plant.every(
        expectation,
        plant.by_name(record.primary, lambda connector: compare.positive(connector.supply_celsius)),
        lambda celsius: celsius <= declared_celsius + off,
        what="facility water, celsius:",
        expected=f"{declared_celsius:g} and at most {off:g} K more",
        source=f"site facility.liquid.facility_water, supply_celsius; {limits.limit_source(row)}",
        unread=record.unread,
    )


def has_water(expectation: PlantExpectation) -> bool:
    """Only where the site declares its facility water."""
    return plant.cdu(expectation).liquid.facility_water is not None


CHECK = PlantCheck(reads=CoolantReading, judge=judge, unit=CoolantUnit, applies=has_water)
