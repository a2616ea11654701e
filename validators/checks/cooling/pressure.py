"""The pressure across the loop is at least what the racks need and at most what the pumps give at full flow."""

from rackwright.compare import limits, plant
from rackwright.model.check import PlantCheck, PlantExpectation
from rackwright.model.equipment import CoolantUnit
from rackwright.model.evidence.plant import CoolantReading
from rackwright.model.verdict import Finding


def judge(expectation: PlantExpectation, record: CoolantReading) -> Finding:
    """Compare the difference between supply and return of every connector to the racks with the need and the rating."""
    unit = plant.cdu(expectation)
    row = plant.limit(expectation, "cooling.pressure_share")
    if row is None:
        return plant.no_limit(expectation, "cooling.pressure_share")
    least, most = (unit.pressure_kpa or 0) * limits.number(row), unit.part.pressure_kpa
    return plant.every(
        expectation,
        plant.by_name(record.secondary, lambda connector: connector.pressure_kpa),
        lambda kpa: least <= kpa <= most and kpa > 0,
        what="kPa between supply and return:",
        expected=f"{f'at least {least:.0f}' if least else 'more than 0'}, at most {most:g}",
        source=f"design of the loop and SKU {unit.part.sku}, pressure_kpa; {limits.limit_source(row)}",
        unread=record.unread,
    )


CHECK = PlantCheck(reads=CoolantReading, judge=judge, unit=CoolantUnit)
