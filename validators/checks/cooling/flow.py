"""The CDU delivers the designed flow to its racks."""

from rackwright.compare import plant
from rackwright.model.equipment import CoolantUnit
from rackwright.model.evidence.plant import CoolantReading


def total(_: CoolantUnit, record: CoolantReading) -> dict[str, float | None]:
    """The total flow of all connectors to the racks, in litres per minute; None if one of them has no reading."""
    flows = [connector.liters_per_minute for connector in record.secondary or ()]
    readings = [flow for flow in flows if flow is not None]
    return {"coolant": sum(readings) if readings and len(readings) == len(flows) and not record.unread else None}


CHECK = plant.threshold(
    reads=CoolantReading,
    unit=CoolantUnit,
    metric="cooling.flow_share",
    readings=total,
    good=lambda cdu, flow, share: flow >= cdu.flow_liters_per_minute * share,
    what="litres per minute:",
    expected=lambda cdu, share: (
        f"at least {cdu.flow_liters_per_minute * share:.0f} of {cdu.flow_liters_per_minute:.0f} designed"
    ),
    source="design {unit.name}, flow",
)
