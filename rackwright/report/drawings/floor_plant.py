"""Plant at the walls of a hall: feeds at the upper wall, cooling machines at the right one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from rackwright.report.drawing_data.records import CoolingMachine, HallPicture, PowerSource
from rackwright.report.drawings import figures, metrics, svg

EDGE = 14.0
FEED_HIGH = 34.0
FEED_WIDE = 190.0
MACHINE_HIGH = 46.0
MOST_BOXES = 14
"""More machines than this are drawn as one box per set."""
UNITS = {"cdu": "l/min", "crah": "CFM"}


@dataclass(frozen=True)
class PlantStrip:
    """Drawn machines, and the height of the strip."""

    parts: list[Markup]
    high: float


def feeds_high(hall: HallPicture) -> float:
    """Height of the strip of feeds."""
    return FEED_HIGH + 2 * EDGE if hall.sources else EDGE


def feeds(hall: HallPicture, room: float) -> Iterator[Markup]:
    """Every feed with the load of this hall."""
    wide = min(FEED_WIDE, room / max(1, len(hall.sources)) - 8)
    for at, source in enumerate(hall.sources):
        yield _feed(source, at, EDGE + at * (wide + 8), wide)


def _feed(source: PowerSource, at: int, x: float, wide: float) -> Markup:
    says = figures.load_of_capacity(source.load_kw, source.capacity_kw)
    title = f"feed {source.feed}: this hall draws {says}"
    gauge = (wide - 34) * figures.share(source.load_kw, source.capacity_kw)
    full = "over" if source.load_kw > source.capacity_kw else f"f{at % 6}"
    letter = metrics.fit(source.feed, 20, 9, bold=True)
    parts = [
        svg.title(title),
        svg.element("rect", x=x, y=EDGE, width=wide, height=FEED_HIGH, class_="case"),
        svg.element("rect", x=x, y=EDGE, width=22, height=FEED_HIGH, class_=f"f{at % 6}"),
        svg.text(letter, x=x + 11, y=EDGE + 20, class_="c b on"),
        svg.text(metrics.first_fit([f"draws {says}", says], wide - 30, 9), x=x + 28, y=EDGE + 14),
        svg.element("rect", x=x + 28, y=EDGE + 21, width=max(1.0, wide - 34), height=5, class_="gauge"),
    ]
    if gauge > 0.05:
        parts.append(svg.element("rect", x=x + 28, y=EDGE + 21, width=gauge, height=5, class_=full))
    return svg.element("g", *parts)


def machines(hall: HallPicture, x: float, top: float, wide: float) -> PlantStrip:
    """Coolant distribution units and air handlers, one below the other."""
    total = sum(len(machine.names) for machine in hall.machines)
    boxes = [
        ([name], machine)
        for machine in hall.machines
        for name in machine.names
    ] if total <= MOST_BOXES else [(machine.names, machine) for machine in hall.machines]  # fmt: skip
    parts = [
        _machine(names, machine, x, top + at * (MACHINE_HIGH + 8), wide) for at, (names, machine) in enumerate(boxes)
    ]
    return PlantStrip(parts, top + len(boxes) * (MACHINE_HIGH + 8) + EDGE if boxes else 0.0)


def _machine(names: list[str], machine: CoolingMachine, x: float, y: float, wide: float) -> Markup:
    each = " each" if len(names) > 1 else ""
    load = f"{figures.load_of_capacity(machine.load_kw, machine.capacity_kw)}{each}"
    flow = (
        f"{figures.amount(machine.flow)} of {figures.amount(machine.flow_capacity)} {UNITS.get(machine.kind, '')}{each}"
    )
    title = figures.span(names[0], names[-1], len(names))
    head = [f"{len(names)} × {machine.sku}"] if len(names) > 1 else [f"{names[0]}, {machine.sku}", names[0]]
    room = wide - 16
    kind = "liquid" if machine.kind == "cdu" else "air"
    parts = [
        svg.title(f"{title}, {machine.kind}, {machine.sku}: {load}; {flow}; after the worst loss {figures.kilowatts(machine.worst_kw)}"),
        svg.element("rect", x=x, y=y, width=wide, height=MACHINE_HIGH, class_="case"),
        svg.element("rect", x=x, y=y, width=6, height=MACHINE_HIGH, class_=kind),
        svg.text(metrics.first_fit([*head, metrics.fit(head[-1], room, 9, bold=True)], room, 9, bold=True), x=x + 12, y=y + 13, class_="b"),
        svg.text(metrics.fit(load, room, 7.5), x=x + 12, y=y + 24, class_="s"),
        svg.text(metrics.fit(flow, room, 7.5), x=x + 12, y=y + 34, class_="s m"),
        svg.element("rect", x=x + 12, y=y + 38, width=room - 4, height=4, class_="gauge"),
    ]  # fmt: skip
    filled = (room - 4) * figures.share(machine.load_kw, machine.capacity_kw)
    if filled > 0.05:
        parts.append(svg.element("rect", x=x + 12, y=y + 38, width=filled, height=4, class_=kind))
    return svg.element("g", *parts)
