"""The pressure across the loop is at least what the racks need and at most what the pumps give at full flow."""

from rackwright.compare import plant
from rackwright.model.equipment import CoolantUnit
from rackwright.model.evidence.plant import CoolantReading


def least_kpa(cdu: CoolantUnit, share: float) -> float:
    """The pressure that the racks need, in kPa."""
    return (cdu.pressure_kpa or 0) * share


CHECK = plant.threshold(
    reads=CoolantReading,
    unit=CoolantUnit,
    metric="cooling.pressure_share",
    readings=lambda _, record: plant.by_name(record.secondary, lambda connector: connector.pressure_kpa),
    good=lambda cdu, kpa, share: least_kpa(cdu, share) <= kpa <= cdu.part.pressure_kpa and kpa > 0,
    what="kPa between supply and return:",
    expected=lambda cdu, share: (
        f"{f'at least {least:.0f}' if (least := least_kpa(cdu, share)) else 'more than 0'}, "
        f"at most {cdu.part.pressure_kpa:g}"
    ),
    source="design of the loop and SKU {unit.part.sku}, pressure_kpa",
    unread=lambda record: record.unread,
)
