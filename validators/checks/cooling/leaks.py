"""No leak detector of the CDU, its racks and its rows is wet or missing, and each reacts as declared."""

from collections.abc import Callable

from rackwright.compare import plant
from rackwright.model.check import PlantCheck, PlantExpectation
from rackwright.model.equipment import CoolantUnit
from rackwright.model.evidence.bmc import Detector
from rackwright.model.evidence.plant import CoolantReading
from rackwright.model.facility import Liquid
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
    required = _required(plant.cdu(expectation).liquid)
    settings = {
        f"{detector.name} {words}": read(detector)
        for detector in detectors
        for words, (value, read) in required.items()
        if read(detector) != value
    }
    reactions = [f"{words} {value}" for words, (value, _) in required.items()]
    finding = plant.every(
        expectation,
        {**states, **{f"{place}: no detector there": "missing" for place in missing}, **settings},
        lambda state: state == "OK",
        what="leak detectors:",
        expected="OK, one in every planned place" + (f"; each {', '.join(reactions)}" if reactions else ""),
        source="Redfish schema LeakDetector, DetectorState; site facility.liquid.leak_detection"
        + (", leak_reaction" if reactions else ""),
        unread=record.unread,
    )
    if any(settings.values()) and not missing and all(state == "OK" for state in states.values()):
        step = (
            f"Set these detectors on the controller of the CDU so that each {', '.join(reactions)}, or correct the site"
        )
        return finding.model_copy(update={"next_step": step})
    return finding


def _required(liquid: Liquid) -> dict[str, tuple[str, Callable[[Detector], str | None]]]:
    """Settings of detectors that the site declares: description -> the value, and a function that reads it from a
    detector.
    """
    delay = liquid.leak_reaction_delay_seconds
    declared: dict[str, tuple[str | None, Callable[[Detector], str | None]]] = {
        "reacts with": (liquid.leak_reaction, lambda detector: detector.reaction or None),
        "reacts to a warning with": (liquid.leak_warning_reaction, lambda detector: detector.warning_reaction or None),
        "reacts after": (None if delay is None else f"{delay} s", _delay),
    }
    return {words: (value, read) for words, (value, read) in declared.items() if value is not None}


def _delay(detector: Detector) -> str | None:
    seconds = detector.reaction_delay_seconds
    return None if seconds is None else f"{seconds:g} s"


def at(name: str, place: str) -> bool:
    """Whether a detector called `name` (``Leak detector train-r01``) sits at `place`."""
    return name == place or name.endswith(f" {place}")


CHECK = PlantCheck(reads=CoolantReading, judge=judge, unit=CoolantUnit)
