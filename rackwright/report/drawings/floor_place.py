"""Rack places on the floor plan: one box per rack, or per run of equal racks, coloured by its power."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup

from rackwright.report.drawing_data.records import FloorRun, Row
from rackwright.report.drawings import figures, metrics, svg

CLASSES = (5.0, 10.0, 20.0, 40.0, 60.0, 90.0, 130.0)
"""Upper ends of the colour classes, kW per rack: fixed, so that two halls can be held side by side."""
_DARK_UP_TO = 4
"""The lightest classes carry dark letters."""


@dataclass(frozen=True)
class Grain:
    """Level of detail at which a hall is drawn."""

    cell: float
    """Widest a place gets."""
    least: float
    """Narrowest at which its words fit."""
    high: float
    aisle: float
    total: float
    """Room for the totals of a row."""
    words: int
    """3: name, kW, heat, weight; 2: short name and kW; 1: kW; 0: kW where it fits."""

    @property
    def pair(self) -> float:
        """Height of two rows with the aisle between them and the one above."""
        return 2 * (self.high + self.aisle)


def classes() -> list[str]:
    """Power classes with their colours, for the legend."""
    bounds = [f"{low:g} to {high:g}" for low, high in pairwise(CLASSES)]
    return [f"up to {CLASSES[0]:g} kW", *bounds, f"over {CLASSES[-1]:g}"]


def colour(kw: float) -> int:
    """Class of a rack of `kw`."""
    return sum(kw > bound for bound in CLASSES)


def free(row: Row, places: int, cell: float, start: float, y: float, grain: Grain) -> Iterator[Markup]:
    """The free places of a row: one by one if there is room, else run by run."""
    at = 1
    for position, count in [(run.position, run.count) for run in row.runs] + [(places + 1, 0)]:
        if position > at and grain.words > 1:
            for place in range(at, position):
                yield _free_places(place, 1, cell, start, y, grain, row.number)
        elif position > at:
            yield _free_places(at, position - at, cell, start, y, grain, row.number)
        at = position + count


def _free_places(at: int, count: int, cell: float, start: float, y: float, grain: Grain, row: int) -> Markup:
    x, wide = start + (at - 1) * cell, count * cell
    words = f"row {row}, {figures.count(count, 'free place')} from position {at}"
    box = {"x": x + 1, "y": y + 1, "width": max(0.5, wide - 2), "height": grain.high - 2}
    parts = [svg.title(words), svg.element("rect", class_="free", **box)]
    forms = ["free"] if count == 1 else [figures.count(count, "free place"), f"{count} free", "free"]
    label = metrics.first_fit(forms, wide - 4, 7.5)
    if label and grain.high >= 11:
        parts.append(svg.text(label, x=x + wide / 2, y=y + grain.high / 2 + 2.7, class_="s c m"))
    return svg.element("g", *parts)


def ruler(places: int, cell: float, start: float, y: float) -> Iterator[Markup]:
    """Numbers of the positions of a row, as many as fit."""
    step = next((n for n in (1, 5, 10, 20, 50, 100) if n * cell > metrics.width(str(places), 7.5) + 4), places)
    for position in range(1, places + 1):
        if position % step == 0 or position == 1:
            yield svg.text(str(position), x=start + (position - 0.5) * cell, y=y, class_="s c m")


def racks(run: FloorRun, cell: float, start: float, y: float, grain: Grain, floor_kg: float) -> Markup:
    """The box of one run."""
    x, wide = start + (run.position - 1) * cell, run.count * cell
    gap = 1.0 if cell > 8 else 0.3
    box = {"x": x + gap, "y": y + 1, "width": max(0.5, wide - 2 * gap), "height": grain.high - 2}
    parts = [svg.title(_summary(run)), svg.element("rect", class_=f"heat h{colour(run.kw)}", **box)]
    if run.kg > floor_kg:
        parts.append(svg.element("rect", class_="heavy", **box))
    tone = "dark" if colour(run.kw) <= _DARK_UP_TO else "light"
    if grain.words == 3:
        parts += _run_block(run, x, y, cell, grain.high, tone, heavy=run.kg > floor_kg)
    elif grain.words == 2:
        parts += _short_run(run, x, y, wide, tone)
    else:
        parts += _figure(run, x, y, wide, grain, tone)
    return svg.element("g", *parts)


def _summary(run: FloorRun) -> str:
    names = figures.span(run.first, run.last, run.count)
    each = " each" if run.count > 1 else ""
    heat = f"{figures.amount(run.air_kw)} to air, {figures.amount(run.liquid_kw)} to liquid"
    where = f"position {run.position}" + (f" to {run.position + run.count - 1}" if run.count > 1 else "")
    return f"{names}, {where}: {figures.kilowatts(run.kw)} peak{each} ({heat}), {run.kg:,.0f} kg{each}, {run.kind}"


def _run_block(
    run: FloorRun, x: float, y: float, cell: float, high: float, tone: str, *, heavy: bool
) -> Iterator[Markup]:
    middle, room = x + cell / 2, cell - 8
    yield svg.text(metrics.fit(run.first, room, 8, bold=True), x=middle, y=y + 14, class_=f"s b c {tone}")
    yield svg.text(
        metrics.first_fit([figures.kilowatts(run.kw), figures.amount(run.kw)], room, 11, bold=True),
        x=middle,
        y=y + 30,
        class_=f"l b c {tone}",
    )
    heat = [f"air {figures.amount(run.air_kw)}"]
    if run.liquid_kw:
        label = f"air {figures.amount(run.air_kw)} liq {figures.amount(run.liquid_kw)}"
        heat = [label, f"{figures.amount(run.air_kw)} / {figures.amount(run.liquid_kw)}"]
    yield svg.text(metrics.first_fit(heat, room, 7.5), x=middle, y=y + 43, class_=f"s c {tone}")
    kilograms = f"{run.kg:,.0f} kg{' !' if heavy else ''}"
    yield svg.text(metrics.fit(kilograms, room, 7.5), x=middle, y=y + 55, class_=f"s c {tone}")
    yield from _split(run, x + 6, y + high - 14, cell - 12)


def _split(run: FloorRun, x: float, y: float, wide: float) -> Iterator[Markup]:
    """Air and liquid as shares of a bar."""
    air = wide * figures.share(run.air_kw, run.kw)
    if air > 0.05:
        yield svg.element("rect", x=x, y=y, width=air, height=5, class_="air")
    if wide - air > 0.05:
        yield svg.element("rect", x=x + air, y=y, width=wide - air, height=5, class_="liquid")


def _short_run(run: FloorRun, x: float, y: float, wide: float, tone: str) -> Iterator[Markup]:
    name = metrics.first_fit([run.first, run.first.rpartition("-")[2]], wide - 4, 7.5)
    yield svg.text(name, x=x + wide / 2, y=y + 13, class_=f"s c {tone}")
    kw = metrics.first_fit([figures.amount(run.kw), f"{run.kw:.0f}"], wide - 4, 9, bold=True)
    yield svg.text(kw, x=x + wide / 2, y=y + 26, class_=f"b c {tone}")
    yield from _split(run, x + 4, y + 33, wide - 8)


def _figure(run: FloorRun, x: float, y: float, wide: float, grain: Grain, tone: str) -> Iterator[Markup]:
    kw = f"{run.kw:.0f}"
    many = [f"{run.count} × {kw} kW", f"{run.count} × {kw}"] if run.count > 1 else []
    words = metrics.first_fit([*many, kw], wide - 3, 7.5)
    if words:
        yield svg.text(words, x=x + wide / 2, y=y + grain.high / 2 + 2.7, class_=f"s c {tone}")
