"""The CDU delivers the designed flow to its racks."""

from rackwright.compare import limits, plant
from rackwright.model.check import PlantCheck, PlantExpectation
from rackwright.model.equipment import CoolantUnit
from rackwright.model.evidence.plant import CoolantReading
from rackwright.model.verdict import Finding


def judge(expectation: PlantExpectation, record: CoolantReading) -> Finding:
    """Compare the flow of all connectors to the racks with this unit's share of the designed flow."""
    row = plant.limit(expectation, "cooling.flow_share")
    if row is None:
        return plant.no_limit(expectation, "cooling.flow_share")
    flows = [connector.liters_per_minute for connector in record.secondary or ()]
    readings = [flow for flow in flows if flow is not None]
    total = sum(readings) if readings and len(readings) == len(flows) and not record.unread else None
    designed = plant.cdu(expectation).flow_liters_per_minute
    least = designed * limits.number(row)
    return plant.every(
        expectation,
        {"coolant": total},
        lambda flow: flow >= least,
        what="litres per minute:",
        expected=f"at least {least:.0f} of {designed:.0f} designed",
        source=f"{plant.source(expectation, 'flow')}; {limits.limit_source(row)}",
    )


CHECK = PlantCheck(reads=CoolantReading, judge=judge, unit=CoolantUnit)
