"""No leak detector of the CDU, its racks and its rows is wet or missing, and each reacts as declared."""

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
    declared = plant.cdu(expectation).liquid.leak_reaction
    reactions = {
        f"{detector.name} reacts with": detector.reaction or None
        for detector in detectors
        if declared and detector.reaction != declared
    }
    finding = plant.every(
        expectation,
        {**states, **{f"{place}: no detector there": "missing" for place in missing}, **reactions},
        lambda state: state == "OK",
        what="leak detectors:",
        expected="OK, one in every planned place" + (f", each reacting with {declared}" if declared else ""),
        source="Redfish schema LeakDetector, DetectorState; site facility.liquid.leak_detection"
        + (", leak_reaction" if declared else ""),
        unread=record.unread,
    )
    if any(reactions.values()) and not missing and all(state == "OK" for state in states.values()):
        step = f"Set the reaction of these detectors to {declared} on the controller of the CDU, or correct the site"
        return finding.model_copy(update={"next_step": step})
    return finding


def at(name: str, place: str) -> bool:
    """Whether a detector called `name` (``Leak detector train-r01``) sits at `place`."""
    return name == place or name.endswith(f" {place}")


CHECK = PlantCheck(reads=CoolantReading, judge=judge, unit=CoolantUnit)
