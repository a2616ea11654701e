"""The coolant supplied to the racks has the temperature that the site declares."""

from rackwright.compare import plant
from rackwright.model.equipment import CoolantUnit
from rackwright.model.evidence.plant import CoolantReading

CHECK = plant.threshold(
    reads=CoolantReading,
    unit=CoolantUnit,
    metric="cooling.supply_off",
    readings=lambda _, record: plant.by_name(record.secondary, lambda connector: connector.supply_celsius),
    good=lambda cdu, celsius, off: abs(celsius - cdu.liquid.supply_celsius) <= off,
    what="coolant towards the racks, celsius:",
    expected=lambda cdu, off: f"{cdu.liquid.supply_celsius:g} to within {off:g} K",
    source="site facility.liquid, supply_celsius",
    unread=lambda record: record.unread,
)
