"""The CDU moves the coolant that the racks behind it need."""

from rackwright.compare import limits, plant
from rackwright.model.check import PlantCheck, PlantExpectation
from rackwright.model.equipment import CoolantUnit
from rackwright.model.evidence.plant import Coolant
from rackwright.model.verdict import Finding


def judge(expectation: PlantExpectation, seen: Coolant) -> Finding:
    """Compare the flow of all connectors to the racks with this unit's share of the designed flow."""
    row = plant.limit(expectation, "cooling.flow_share")
    if row is None:
        return plant.no_limit(expectation, "cooling.flow_share")
    flows = [one.liters_per_minute for one in seen.secondary or ()]
    told = [flow for flow in flows if flow is not None]
    whole = sum(told) if told and len(told) == len(flows) and not seen.unread else None
    designed = plant.cdu(expectation).flow_liters_per_minute
    least = designed * limits.number(row)
    return plant.every(
        expectation,
        {"coolant": whole},
        lambda flow: flow >= least,
        what="litres per minute:",
        expected=f"at least {least:.0f} of {designed:.0f} designed",
        source=f"{plant.source(expectation, 'flow')}; {limits.limit_source(row)}",
    )


CHECK = PlantCheck(reads=Coolant, judge=judge, unit=CoolantUnit)
