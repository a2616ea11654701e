"""No leak detector of the CDU, its racks and its rows is wet or missing."""

from rackwright.compare import plant
from rackwright.model.check import PlantCheck, PlantExpectation
from rackwright.model.equipment import CoolantUnit
from rackwright.model.evidence.plant import CoolantReading
from rackwright.model.verdict import Finding


def judge(expectation: PlantExpectation, record: CoolantReading) -> Finding:
    """Read every detector; each planned place must have one whose name ends with it."""
    detectors = record.leak_detectors or ()
    states = plant.by_name(detectors, lambda detector: detector.state or None)
    missing = [
        place
        for place in plant.cdu(expectation).detectors
        if not any(at(detector.name, place) for detector in detectors)
    ]
    return plant.every(
        expectation,
        {**states, **{f"{place}: no detector there": "missing" for place in missing}},
        lambda state: state == "OK",
        what="leak detectors:",
        expected="OK, one in every planned place",
        source="Redfish schema LeakDetector, DetectorState; site facility.liquid.leak_detection",
        unread=record.unread,
    )


def at(name: str, place: str) -> bool:
    """Whether a detector called `name` (``Leak detector train-r01``) sits at `place`."""
    return name == place or name.endswith(f" {place}")


CHECK = PlantCheck(reads=CoolantReading, judge=judge, unit=CoolantUnit)
