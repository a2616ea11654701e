"""The load of the PDU is between the least and the peak of the machines behind it."""

from rackwright.compare import limits, plant
from rackwright.model.check import PlantCheck, PlantExpectation
from rackwright.model.equipment import RackPdu
from rackwright.model.evidence.plant import RackPower
from rackwright.model.verdict import Finding


def judge(expectation: PlantExpectation, record: RackPower) -> Finding:
    """Compare the power of the PDU with the designed peak and with the least share that running machines draw."""
    unit = plant.pdu(expectation)
    row = plant.limit(expectation, "power.least_load_share")
    if row is None:
        return plant.no_limit(expectation, "power.least_load_share")
    least, most = unit.load_watts * limits.number(row), unit.load_watts
    return plant.every(
        expectation,
        {"PDU": record.watts},
        lambda watts: least <= watts <= most,
        what="watts:",
        expected=f"{least:.0f} to {most:.0f}",
        source=f"{plant.source(expectation, 'load_watts')}; {limits.limit_source(row)}",
    )


def loaded(expectation: PlantExpectation) -> bool:
    """Whether anything is plugged in by design."""
    return plant.pdu(expectation).load_watts > 0


CHECK = PlantCheck(reads=RackPower, judge=judge, unit=RackPdu, applies=loaded)
