"""The facility water is no warmer than the site declares."""

from rackwright import compare
from rackwright.compare import plant
from rackwright.model.equipment import CoolantUnit
from rackwright.model.evidence.plant import CoolantReading


def declared_celsius(cdu: CoolantUnit) -> float:
    """The declared temperature of the facility water."""
    assert cdu.liquid.facility_water is not None, "it is judged where it is declared alone"
    return cdu.liquid.facility_water.supply_celsius


CHECK = plant.threshold(
    reads=CoolantReading,
    unit=CoolantUnit,
    metric="cooling.water_off",
    readings=lambda _, record: plant.by_name(
        record.primary, lambda connector: compare.positive(connector.supply_celsius)
    ),
    good=lambda cdu, celsius, off: celsius <= declared_celsius(cdu) + off,
    what="facility water, celsius:",
    expected=lambda cdu, off: f"{declared_celsius(cdu):g} and at most {off:g} K more",
    source="site facility.liquid.facility_water, supply_celsius",
    unread=lambda record: record.unread,
    applies=lambda cdu: cdu.liquid.facility_water is not None,
)
