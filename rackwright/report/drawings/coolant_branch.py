"""The racks of a cooling drawing with the pipes and ducts that reach them."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from rackwright.report.drawing_data.flow_records import Cooled, Cooling
from rackwright.report.drawings import figures, metrics, svg

HIGH = 34.0
GAP = 8.0
STEP = HIGH + GAP


def height(cooling: Cooling) -> float:
    """Height of all branches."""
    return len(cooling.branches) * STEP


def branches(cooling: Cooling, x: float, wide: float, top: float) -> Iterator[Markup]:
    """One box per rack or row, liquid at its left, air at its right."""
    yield svg.text("Racks" if cooling.per == "rack" else "Rows of racks", x=x + wide / 2, y=top - 16, class_="b c")
    for at, branch in enumerate(cooling.branches):
        yield _branch(branch, cooling, x, top + at * STEP, wide)


def _branch(branch: Cooled, cooling: Cooling, x: float, y: float, wide: float) -> Markup:
    racks = figures.count(branch.racks, "rack") if branch.racks > 1 else ""
    some = f", {branch.liquid_racks} with liquid" if 0 < branch.liquid_racks < branch.racks else ""
    liquid = (
        f"{figures.kilowatts(branch.liquid_kw)} · {figures.amount(branch.liters_per_minute)} l/min"
        if branch.liquid_kw
        else ""
    )
    air = f"{figures.kilowatts(branch.air_kw)} · {branch.cfm:,.0f} CFM"
    head = f"{branch.name}{f' · {racks}{some}' if racks else ''}"
    room = wide - 16
    half = room / 2 - 8
    parts = [
        svg.title(f"{head}: {liquid or 'no liquid'}; air {air}"),
        svg.element("rect", x=x, y=y, width=wide, height=HIGH, class_="case"),
        svg.text(
            metrics.first_fit([head, branch.name, metrics.fit(branch.name, room, 9, bold=True)], room, 9, bold=True),
            x=x + wide / 2,
            y=y + 13,
            class_="b c",
        ),
        svg.text(metrics.fit(liquid, half, 7.5), x=x + 12, y=y + 26, class_="s"),
        svg.text(metrics.fit(air, half + 12, 7.5), x=x + wide - 12, y=y + 26, class_="s e"),
    ]
    if liquid:
        parts.append(svg.element("rect", x=x, y=y, width=5, height=HIGH, class_="liquid"))
        if cooling.water and cooling.water.leak_detection in {"rack", "rack-and-row"}:
            parts.append(detector(x + wide / 2, y + 24))
    parts.append(svg.element("rect", x=x + wide - 5, y=y, width=5, height=HIGH, class_="air"))
    return svg.element("g", *parts)


def pipes(cooling: Cooling, x: float, wide: float, top: float) -> Iterator[Markup]:
    """Headers between the CDUs and the racks; every liquid-cooled branch has two valves."""
    water = cooling.water
    if water is None:
        return
    supply, back = x + wide / 2 - 12, x + wide / 2 + 6
    liquid_rows = [at for at, branch in enumerate(cooling.branches) if branch.liquid_kw]
    machines = sum(len(machine.names) for machine in cooling.machines if machine.kind == "cdu")
    sets = machines if machines <= 8 else sum(1 for machine in cooling.machines if machine.kind == "cdu")
    ends = [top + at * STEP + 27 for at in liquid_rows] + [top + at * 68 + 50 for at in range(sets)]
    low = max(ends, default=top + 40)
    for at, cls, words, align in (
        (supply, "cold", f"{water.supply_celsius:g} °C", "e"),
        (back, "hot", f"{water.return_celsius:g} °C", ""),
    ):
        yield svg.element("line", x1=at, x2=at, y1=top - 6, y2=low, class_=cls, stroke_width=5)
        shift = -5 if align else 5
        yield svg.text(words, x=at + shift, y=top - 8, class_=f"b t{cls} {align}".strip())
    if water.header:
        yield svg.text(metrics.fit(water.header, wide + 20, 7.5), x=x + wide / 2, y=top - 22, class_="s c m")
    for number in range(sets):
        y = top + number * 68
        yield svg.element("line", x1=x, x2=supply, y1=y + 14, y2=y + 14, class_="cold", stroke_width=2.5)
        yield svg.element("line", x1=supply - 6, x2=supply + 6, y1=y + 44, y2=y + 44, class_="halo", stroke_width=6)
        yield svg.element("line", x1=x, x2=back, y1=y + 44, y2=y + 44, class_="hot", stroke_width=2.5)
    for at in liquid_rows:
        yield from _branch_pipes(cooling, at, supply, back, x + wide, top)


def _branch_pipes(cooling: Cooling, at: int, supply: float, back: float, end: float, top: float) -> Iterator[Markup]:
    """Supply and return of one branch."""
    y = top + at * STEP
    yield svg.element("line", x1=back - 6, x2=back + 6, y1=y + 9, y2=y + 9, class_="halo", stroke_width=5.5)
    yield svg.element("line", x1=supply, x2=end, y1=y + 9, y2=y + 9, class_="cold", stroke_width=2)
    yield svg.element("line", x1=back, x2=end, y1=y + 25, y2=y + 25, class_="hot", stroke_width=2)
    yield valve(end - 18, y + 9)
    yield valve(end - 18, y + 25)
    if cooling.water and cooling.water.leak_detection in {"row", "rack-and-row"}:
        yield detector(end - 6, y + 17)


def ducts(cooling: Cooling, x: float, wide: float, top: float, *, handlers: bool) -> Iterator[Markup]:
    """Air between the racks and the air handlers; open ends where none is declared."""
    cold, hot = x + wide / 2 + 8, x + wide / 2 - 8
    low = top + max(0, len(cooling.branches) - 1) * STEP + 27
    sets = sum(len(machine.names) for machine in cooling.machines if machine.kind == "crah")
    sets = sets if sets <= 8 else sum(1 for machine in cooling.machines if machine.kind == "crah")
    low = max(low, top + max(0, sets - 1) * 68 + 46)
    yield svg.element("line", x1=cold, x2=cold, y1=top - 6, y2=low, class_="cold duct", stroke_width=2.5)
    yield svg.element("line", x1=hot, x2=hot, y1=top - 6, y2=low, class_="hot duct", stroke_width=2.5)
    yield svg.text(f"{cooling.air_supply_celsius:g} °C", x=cold + 4, y=top - 8, class_="b tcold")
    for at in range(len(cooling.branches)):
        y = top + at * STEP
        yield svg.element("line", x1=x, x2=cold, y1=y + 9, y2=y + 9, class_="cold duct", stroke_width=1.5)
        yield svg.element("line", x1=x, x2=hot, y1=y + 25, y2=y + 25, class_="hot duct", stroke_width=1.5)
    for number in range(sets if handlers else 1):
        y = top + number * 68
        yield svg.element("line", x1=cold, x2=x + wide, y1=y + 14, y2=y + 14, class_="cold duct", stroke_width=1.5)
        yield svg.element("line", x1=hot, x2=x + wide, y1=y + 44, y2=y + 44, class_="hot duct", stroke_width=1.5)


def valve(x: float, y: float) -> Markup:
    """Two triangles, tip to tip."""
    return svg.element("path", d=f"M{x - 5:.1f} {y - 4:.1f}v8l10 -8v8z", class_="breaker")


def detector(x: float, y: float) -> Markup:
    """A drop."""
    return svg.element(
        "path", d=f"M{x:.1f} {y - 6:.1f}q5 6 3.5 8.5a4 4 0 0 1 -7 0q-1.5 -2.5 3.5 -8.5z", class_="coldfill"
    )
