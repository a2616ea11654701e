"""All pumps of the CDU are healthy, so that one may fail."""

from rackwright.compare import plant
from rackwright.model.check import PlantCheck, PlantExpectation
from rackwright.model.equipment import CoolantUnit
from rackwright.model.evidence.plant import CoolantReading
from rackwright.model.verdict import Finding

RUNNING = ("Enabled", "StandbySpare", "")


def judge(expectation: PlantExpectation, record: CoolantReading) -> Finding:
    """Compare the healthy pumps with those that must run plus the spare ones."""
    unit = plant.cdu(expectation)
    required = min(unit.part.pumps, unit.part.pumps_needed + unit.pumps_spare)
    pumps = record.pumps or ()
    well = [pump.name for pump in pumps if pump.health == "OK" and pump.state in RUNNING]
    bad = [f"{pump.name} {pump.state} {pump.health}".strip() for pump in pumps if pump.name not in well]
    finding = plant.every(
        expectation,
        {"pumps": len(well) if pumps and not record.unread else None},
        lambda count: count >= required,
        what="pumps that are well:",
        expected=f"{required} of {unit.part.pumps}",
        source=f"SKU {unit.part.sku}, pumps_needed; site facility.liquid.survive, pumps",
    )
    suffix = f" ({'; '.join(bad)})" if bad else ""
    return finding.model_copy(update={"says": finding.says + suffix, "observed": finding.observed + suffix})


CHECK = PlantCheck(reads=CoolantReading, judge=judge, unit=CoolantUnit)
