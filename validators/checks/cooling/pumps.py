"""All pumps of the CDU are well, so that one may fail."""

from rackwright.compare import plant
from rackwright.model.check import PlantCheck, PlantExpectation
from rackwright.model.equipment import CoolantUnit
from rackwright.model.evidence.plant import Coolant
from rackwright.model.verdict import Finding

RUNNING = ("Enabled", "StandbySpare", "")


def judge(expectation: PlantExpectation, seen: Coolant) -> Finding:
    """Count the pumps that are well; those that must run, and those that may fail."""
    unit = plant.cdu(expectation)
    wanted = min(unit.part.pumps, unit.part.pumps_needed + unit.pumps_spare)
    pumps = seen.pumps or ()
    well = [one.name for one in pumps if one.health == "OK" and one.state in RUNNING]
    bad = [f"{one.name} {one.state} {one.health}".strip() for one in pumps if one.name not in well]
    finding = plant.every(
        expectation,
        {"pumps": len(well) if pumps and not seen.unread else None},
        lambda count: count >= wanted,
        what="pumps that are well:",
        expected=f"{wanted} of {unit.part.pumps}",
        source=f"SKU {unit.part.sku}, pumps_needed; site facility.liquid.survive, pumps",
    )
    shown = f" ({'; '.join(bad)})" if bad else ""
    return finding.model_copy(update={"says": finding.says + shown, "observed": finding.observed + shown})


CHECK = PlantCheck(reads=Coolant, judge=judge, unit=CoolantUnit)
