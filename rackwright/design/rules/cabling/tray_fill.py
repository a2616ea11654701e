"""No tray is fuller than it may be, and there is room to replace cables and to add some."""

from __future__ import annotations

from rackwright.catalog import pathway_practice
from rackwright.design.rules.rule import DesignRule, Judged
from rackwright.design.tray_load import TrayLoad, tray_loads, trays_needed, usual_tray
from rackwright.model.design import Design
from rackwright.model.facility import CableTray
from rackwright.model.verdict import Finding, Outcome

SQUARE_MM_PER_CM = 100


def judge(design: Design) -> Judged:
    """Per hall, of its fullest section. A hall without a declared tray is judged by one of a usual size, and never fails."""
    trays = {hall.name: hall.cable_tray for hall in design.site.facility.halls}
    for load in tray_loads(design):
        yield load.hall, _finding(load, trays[load.hall])


def _finding(load: TrayLoad, declared: CableTray | None) -> Finding:
    practice, tray = pathway_practice.load().tray, declared or usual_tray()
    share = load.square_mm / (tray.width_mm * tray.depth_mm * tray.count)
    outcome = _outcome(share, bool(declared), bool(load.unknown))
    size = f"{tray.width_mm:g} x {tray.depth_mm:g} mm"
    trays = f"{tray.count} tray{'' if tray.count == 1 else 's'} of {size}"
    source = f"site hall {load.hall} cable_tray" if declared else "no cable_tray in the site; a usual size is assumed"
    observed = f"{share:.0%} of {trays}"
    expected = f"at most {practice.most_share:.0%}, and {practice.planning_share:.0%} when planned"
    area = f"{load.cables:,} cables with {load.square_mm / SQUARE_MM_PER_CM:,.0f} cm2"
    unknown = f"; no diameter is known of {', '.join(load.unknown)}" if load.unknown else ""
    says = f"The fullest section of trays in {load.hall}, {load.section}, has {area}, {observed}{unknown}; expected {expected} ({source})."
    return Finding(
        outcome=outcome,
        observed=observed,
        expected=expected,
        source=source,
        says=says,
        next_step="" if outcome is Outcome.PASS else _next_step(load, share, trays_needed(load, tray), size),
        value=round(share, 4),
        limit=practice.most_share,
    )


def _outcome(share: float, declared: bool, unknown: bool) -> Outcome:
    practice = pathway_practice.load().tray
    if share > practice.planning_share:
        over = Outcome.FAIL if share > practice.most_share else Outcome.DEGRADED
        return over if declared else Outcome.INCONCLUSIVE
    return Outcome.INCONCLUSIVE if unknown else Outcome.PASS


def _next_step(load: TrayLoad, share: float, trays: int, size: str) -> str:
    if share > pathway_practice.load().tray.planning_share:
        return f"plan {trays} trays of {size} above every row and across the aisles, and declare them (facility.halls.cable_tray)"
    return f"declare {', '.join(load.unknown)} with diameter_mm under catalog in the site"


RULE = DesignRule("tray_fill", "Trays have room for their cables", judge)
