"""Every rectifier of the power shelf is there, works, and is switched on."""

from rackwright.compare import plant
from rackwright.model.check import PlantCheck, PlantExpectation
from rackwright.model.equipment import ShelfUnit
from rackwright.model.evidence.plant import Rectifier, ShelfPower
from rackwright.model.verdict import Finding, Outcome

WORKING = {"Enabled", "StandbySpare", ""}
"""States of a supply that can carry load (DSP0268, Resource.State)."""


def judge(expectation: PlantExpectation, record: ShelfPower) -> Finding:
    """Count the rectifiers that can carry load: all of them, as many as the rack needs at its peak, or fewer."""
    shelf = plant.shelf(expectation)
    listed = record.rectifiers or []
    faults = {unit.name: fault for unit in listed if (fault := _fault(unit))}
    silent = [unit.name for unit in listed if not unit.health and unit.switched_on is None]
    good = len(listed) - len(faults) - len(silent)
    lost = shelf.part.psus - good
    if lost <= 0:
        outcome = Outcome.PASS
    elif not listed or lost <= len(silent) + record.unread:
        outcome = Outcome.INCONCLUSIVE
    else:
        outcome = Outcome.DEGRADED if lost <= shelf.spare else Outcome.FAIL
    words = [*(f"{name} {fault}" for name, fault in faults.items()), *(f"{name} reports nothing" for name in silent)]
    more = f" ({', '.join(words)})" if words else ""
    return plant.finding(
        expectation,
        outcome,
        what="rectifiers:",
        observed=f"{good} of {len(listed)} work{more}" if listed else "none listed",
        expected=f"{shelf.part.psus} (the rack does without {shelf.spare})",
        source=f"SKU {shelf.part.sku}, psus and needed_share",
    )


def _fault(unit: Rectifier) -> str:
    """Defect of a rectifier in words; empty if there is none."""
    if unit.switched_on is False:
        return "is switched off"
    if unit.health not in {"", "OK"}:
        return f"is {unit.health}"
    return "" if unit.state in WORKING else f"is {unit.state}"


CHECK = PlantCheck(reads=ShelfPower, judge=judge, unit=ShelfUnit)
