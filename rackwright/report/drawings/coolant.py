"""Cooling of one hall: facility water, CDUs and headers at the left, racks in the middle, air handlers at the right.

Blue goes to the racks, red comes from them; pipes are drawn through, air is dashed.
"""

from __future__ import annotations

from markupsafe import Markup

from rackwright.report.drawing_data.flow_records import Cooling
from rackwright.report.drawings import coolant_branch, coolant_plant, figures, losses
from rackwright.report.drawings.sheet import LegendKey, SheetFrame, frame, stroke, swatch

WATER = 128.0
PLANT = 214.0
HEADERS = 92.0
BRANCH = 320.0
NARROW = 210.0
"""Branches of a hall without liquid."""
TOP = 34.0


def drawing(cooling: Cooling, site: str) -> Markup:
    """The heat of one hall on its way out."""
    liquid, air = _has(cooling, "cdu"), _has(cooling, "crah")
    branch = BRANCH if cooling.liquid_kw else NARROW
    width_left = (WATER + PLANT + HEADERS) if liquid or cooling.liquid_kw else 0.0
    width = width_left + branch + HEADERS + PLANT
    high = max(
        TOP + coolant_branch.height(cooling),
        TOP + coolant_plant.height(cooling, "cdu"),
        TOP + coolant_plant.height(cooling, "crah"),
    )
    body: list[Markup] = []
    if width_left:
        body += coolant_plant.water(cooling, WATER, TOP)
        body += coolant_plant.column(cooling, "cdu", WATER, TOP, PLANT)
        body += coolant_branch.pipes(cooling, WATER + PLANT, HEADERS, TOP)
    body += coolant_branch.branches(cooling, width_left, branch, TOP)
    body += coolant_branch.ducts(cooling, width_left + branch, HEADERS, TOP, handlers=air)
    body += coolant_plant.column(cooling, "crah", width_left + branch + HEADERS, TOP, PLANT)
    lost = losses.listed(cooling.losses, high, width)
    sheet = SheetFrame(
        ident=f"coolant-{cooling.hall}",
        title=f"Coolant loop and air of {cooling.hall}" if width_left else f"Air cooling of {cooling.hall}",
        facts=_facts(cooling),
        body=[*body, *lost.parts],
        width=width,
        height=high + lost.high,
        says=_summary(cooling),
        note=_note(cooling),
        keys=_keys(cooling),
    )
    return frame(sheet, site)


def _has(cooling: Cooling, kind: str) -> bool:
    return any(machine.kind == kind for machine in cooling.machines)


def _facts(cooling: Cooling) -> list[str]:
    facts = []
    if cooling.water:
        water = cooling.water
        facts.append(
            f"{figures.kilowatts(cooling.liquid_kw)} into {water.coolant}, {figures.amount(cooling.liters_per_minute)} l/min"
        )
        facts.append(f"{water.supply_celsius:g} °C to the racks, {water.return_celsius:g} °C back")
    facts.append(
        f"{figures.kilowatts(cooling.air_kw)} into air, {cooling.cfm:,.0f} CFM at {cooling.air_supply_celsius:g} °C"
    )
    if cooling.containment:
        facts.append(
            "no containment" if cooling.containment == "none" else f"{cooling.containment.replace('-', ' ')} contained"
        )
    return facts


def _summary(cooling: Cooling) -> str:
    machines = "; ".join(
        f"{figures.span(machine.names[0], machine.names[-1], len(machine.names))}, {machine.sku}: "
        f"{figures.load_of_capacity(machine.load_kw, machine.capacity_kw)}"
        for machine in cooling.machines
    )
    return f"{', '.join(_facts(cooling))}. {machines or 'No cooling machines are declared'}. {' '.join(cooling.losses)}".strip()


def _note(cooling: Cooling) -> str:
    note = "Heat at peak load. Bars: load as a share of what the machine can carry; the mark is after the worst loss that must be survived."
    if cooling.per != "rack":
        note += " Figures of a line are those of one row."
    return note


def _keys(cooling: Cooling) -> list[LegendKey]:
    keys = []
    if cooling.water:
        keys += [
            LegendKey(stroke("cold", stroke_width=4), "supply"),
            LegendKey(stroke("hot", stroke_width=4), "return"),
        ]
        keys.append(LegendKey(coolant_branch.valve(8, 6), "isolation valve"))
        if cooling.water.leak_detection != "none":
            keys.append(LegendKey(coolant_branch.detector(8, 6), "leak detector"))
    keys += [
        LegendKey(stroke("cold duct", stroke_width=2), "supply air"),
        LegendKey(stroke("hot duct", stroke_width=2), "return air"),
    ]
    keys += [LegendKey(swatch("liquid"), "liquid"), LegendKey(swatch("air"), "air")]
    return keys
