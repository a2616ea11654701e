"""The machines of a cooling drawing: facility water with its temperatures, CDUs, air handlers."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from rackwright.report.drawing_data.flow_records import Cooling
from rackwright.report.drawing_data.records import CoolingMachine
from rackwright.report.drawings import figures, metrics, svg

HIGH = 58.0
GAP = 10.0
MOST = 8
"""More machines than this are drawn as one box per set of equal ones."""
UNITS = {"cdu": "l/min", "crah": "CFM"}
NOUNS = {"cdu": "coolant distribution units", "crah": "air handlers"}


def _boxes(cooling: Cooling, kind: str) -> list[tuple[list[str], CoolingMachine]]:
    machines = [machine for machine in cooling.machines if machine.kind == kind]
    if sum(len(machine.names) for machine in machines) <= MOST:
        return [([name], machine) for machine in machines for name in machine.names]
    return [(machine.names, machine) for machine in machines]


def height(cooling: Cooling, kind: str) -> float:
    """Height of the column of `kind`."""
    return max(1, len(_boxes(cooling, kind))) * (HIGH + GAP)


def column(cooling: Cooling, kind: str, x: float, y: float, wide: float) -> Iterator[Markup]:
    """All machines of `kind`, one below the other; a dashed box where none is declared."""
    boxes = _boxes(cooling, kind)
    if not boxes and (kind == "crah" or cooling.liquid_kw):
        yield svg.element("rect", x=x, y=y, width=wide, height=HIGH, class_="free")
        yield svg.text(f"no {NOUNS[kind]} declared", x=x + wide / 2, y=y + HIGH / 2 + 3, class_="c m")
    for at, (names, machine) in enumerate(boxes):
        yield _machine(names, machine, x, y + at * (HIGH + GAP), wide)


def _machine(names: list[str], machine: CoolingMachine, x: float, y: float, wide: float) -> Markup:
    each = " each" if len(names) > 1 else ""
    unit = UNITS[machine.kind]
    load = f"{figures.load_of_capacity(machine.load_kw, machine.capacity_kw)}{each}"
    flow = f"{figures.amount(machine.flow)} of {figures.amount(machine.flow_capacity)} {unit}{each}"
    name = f"{len(names)} × {machine.sku}" if len(names) > 1 else names[0]
    fill = "liquid" if machine.kind == "cdu" else "air"
    start, room = x + 44, wide - 52
    says = f"{figures.span(names[0], names[-1], len(names))}, {machine.sku}: {load}, {flow}"
    says += f"; after the worst loss {figures.kilowatts(machine.worst_kw)}, {figures.amount(machine.worst_flow)} {unit}"
    parts = [svg.title(says)]
    parts += [
        svg.element("rect", x=x + 3.0 * behind, y=y - 3.0 * behind, width=wide, height=HIGH, class_="case")
        for behind in range(min(len(names), 3) - 1, 0, -1)
    ]
    parts.append(svg.element("rect", x=x, y=y, width=wide, height=HIGH, class_="case"))
    parts += _symbol(machine.kind, x + 22, y + HIGH / 2)
    parts += [
        svg.text(metrics.fit(name, room, 9, bold=True), x=start, y=y + 13, class_="b"),
        svg.text(metrics.first_fit([f"{machine.sku} · {load}", load], room, 7.5), x=start, y=y + 25, class_="s"),
        svg.text(metrics.fit(flow, room, 7.5), x=start, y=y + 36, class_="s"),
    ]
    parts += _gauge(machine, start, y + 44, room, fill)
    return svg.element("g", *parts)


def _gauge(machine: CoolingMachine, x: float, y: float, wide: float, fill: str) -> Iterator[Markup]:
    """Load as a share of the capacity, with a mark for the load after the worst loss."""
    over = machine.worst_kw > machine.capacity_kw
    yield svg.element("rect", x=x, y=y, width=wide, height=5, class_="gauge")
    filled = wide * figures.share(machine.load_kw, machine.capacity_kw)
    if filled > 0.05:
        yield svg.element("rect", x=x, y=y, width=filled, height=5, class_=fill)
    at = x + wide * figures.share(machine.worst_kw, machine.capacity_kw)
    yield svg.element("line", x1=at, x2=at, y1=y - 2, y2=y + 7, class_="tick over-tick" if over else "tick")


def _symbol(kind: str, x: float, y: float) -> Iterator[Markup]:
    """A heat exchanger with its pump, or a fan."""
    if kind == "cdu":
        yield svg.element("rect", x=x - 13, y=y - 21, width=26, height=22, class_="frame")
        yield svg.element("path", d=f"M{x - 13:.1f} {y + 1:.1f}l26 -22", class_="line")
        yield svg.element("circle", cx=x, cy=y + 13, r=8, class_="frame")
        yield svg.element("path", d=f"M{x - 4.5:.1f} {y + 7:.1f}l12 6l-12 6", class_="line")
    else:
        yield svg.element("circle", cx=x, cy=y, r=14, class_="frame")
        yield svg.element("path", d=f"M{x:.1f} {y:.1f}q-9 -4 -5 -11q8 1 5 11q9 4 5 11q-8 -1 -5 -11", class_="line")


def water(cooling: Cooling, wide: float, top: float) -> Iterator[Markup]:
    """Facility water: supply and return on every CDU, with their known figures."""
    values = cooling.water
    boxes = _boxes(cooling, "cdu")
    high = max(1, len(boxes)) * (HIGH + GAP) - GAP
    for at, cls in ((wide - 34, "cold"), (wide - 20, "hot")):
        yield svg.element(
            "line", x1=at, x2=at, y1=top - 4, y2=top + high - (24 if cls == "cold" else 10), class_=cls, stroke_width=4
        )
    for at in range(len(boxes)):
        y = top + at * (HIGH + GAP)
        yield svg.element("line", x1=wide - 34, x2=wide, y1=y + 34, y2=y + 34, class_="cold", stroke_width=2.5)
        yield svg.element("line", x1=wide - 20, x2=wide, y1=y + 48, y2=y + 48, class_="hot", stroke_width=2.5)
    yield svg.text("Facility water", x=0, y=top - 16, class_="b")
    if values is None:
        return
    lines = (
        [(f"supply {values.facility_supply_celsius:g} °C", "tcold")]
        if values.facility_supply_celsius is not None
        else []
    )
    if values.facility_return_celsius is not None:
        lines.append((f"return {values.facility_return_celsius:g} °C", "thot"))
    lines += [(words, "m") for words in _water_words(cooling)]
    for number, (words, tone) in enumerate(lines):
        yield svg.text(metrics.fit(words, wide - 44, 8.5), x=0, y=top + 6 + number * 13, class_=f"n {tone}")


def _water_words(cooling: Cooling) -> list[str]:
    values = cooling.water
    assert values is not None
    words = [f"class {values.water_class}"] if values.water_class else []
    if values.facility_liters_per_minute:
        words.append(f"{figures.amount(values.facility_liters_per_minute)} l/min")
    if values.approach_kelvin is not None:
        words.append(f"approach {values.approach_kelvin:g} K")
    return words
