"""Floor plan of one hall: rows and aisles, each rack with its power and heat, feeds and cooling machines at the walls.

The text in a place depends on the room: name, kW, heat and weight in a small hall; kW alone in a large one; colour alone with totals per row in a
very large one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from rackwright.report.drawing_data.records import HallPicture, Row
from rackwright.report.drawings import figures, floor_place, floor_plant, svg
from rackwright.report.drawings.floor_place import Grain
from rackwright.report.drawings.sheet import LegendKey, SheetFrame, frame, stroke, swatch

LABEL = 44.0
PLANT = 168.0
EDGE = 14.0
TALLEST = 1500.0
"""Beyond it the rows of a hall are drawn in several columns."""
WIDEST = 1500.0
GRAINS = (
    Grain(cell=84.0, least=62.0, high=76.0, aisle=26.0, total=96.0, words=3),
    Grain(cell=60.0, least=30.0, high=44.0, aisle=18.0, total=96.0, words=2),
    Grain(cell=28.0, least=15.0, high=20.0, aisle=12.0, total=70.0, words=1),
    Grain(cell=22.0, least=1.5, high=11.0, aisle=5.0, total=62.0, words=0),
)
"""From fine to coarse."""


@dataclass(frozen=True)
class FloorPlan:
    """How a hall is laid out on the sheet."""

    grain: Grain
    cell: float
    rows: int
    """Rows per column, an even number."""
    columns: int

    @property
    def wide(self) -> float:
        """Width of one column of rows, without the gap to the next."""
        return LABEL + self.cell * self.places + self.grain.total

    places: int = 0


def drawing(hall: HallPicture, site: str) -> Markup:
    """The floor plan of `hall`."""
    plan = _plan(hall)
    top = floor_plant.feeds_high(hall)
    columns = [part for column in range(plan.columns) for part in _column(hall, plan, column, top)]
    wide = plan.columns * plan.wide + (plan.columns - 1) * EDGE + 2 * EDGE
    plant = floor_plant.machines(hall, wide, top, PLANT - EDGE)
    full = wide + (PLANT if plant.high else 0.0)
    high = max(top + _rows_high(plan) + EDGE, plant.high)
    wall = svg.element("rect", x=0, y=0, width=full, height=high, class_="hall")
    body = [wall, *floor_plant.feeds(hall, full - 2 * EDGE), *columns, *plant.parts]
    sheet = SheetFrame(
        ident=f"floor-{hall.name}",
        title=f"Floor plan of {hall.name}",
        facts=_facts(hall),
        body=body,
        width=full,
        height=high,
        says=_summary(hall),
        note=_note(plan),
        keys=_keys(hall),
    )
    return frame(sheet, site)


def _plan(hall: HallPicture) -> FloorPlan:
    rows, places = len(hall.rows), hall.places_per_row
    for grain in GRAINS:
        cell = min(grain.cell, (WIDEST - LABEL - grain.total) / places)
        if cell >= grain.least and _pairs(rows) * grain.pair <= TALLEST:
            return FloorPlan(grain, cell, rows + rows % 2, 1, places)
    grain = GRAINS[-1]
    per_column = 2 * max(1, int(TALLEST / grain.pair))
    columns = -(-rows // per_column)
    cell = min(grain.cell, max(grain.least, (WIDEST / columns - LABEL - grain.total) / places))
    return FloorPlan(grain, cell, per_column, columns, places)


def _pairs(rows: int) -> int:
    return -(-rows // 2)


def _rows_high(plan: FloorPlan) -> float:
    return plan.rows / 2 * plan.grain.pair + plan.grain.aisle


def _column(hall: HallPicture, plan: FloorPlan, column: int, top: float) -> Iterator[Markup]:
    """One column of row pairs: hot aisle, row, cold aisle, row, and a hot aisle at the end."""
    x = EDGE + column * (plan.wide + EDGE)
    rows = hall.rows[column * plan.rows : (column + 1) * plan.rows]
    yield from floor_place.ruler(plan.places, plan.cell, x + LABEL, top - 4)
    y = top
    for at in range(0, len(rows), 2):
        yield from _aisle(hall, plan, x, y, hot=True)
        y += plan.grain.aisle
        yield from _row(hall, plan, rows[at], x, y, front_below=True)
        y += plan.grain.high
        yield from _aisle(hall, plan, x, y, hot=False)
        y += plan.grain.aisle
        if at + 1 < len(rows):
            yield from _row(hall, plan, rows[at + 1], x, y, front_below=False)
            y += plan.grain.high
    if len(rows) % 2 == 0:
        yield from _aisle(hall, plan, x, y, hot=True)


def _aisle(hall: HallPicture, plan: FloorPlan, x: float, y: float, *, hot: bool) -> Iterator[Markup]:
    start, wide, high = x + LABEL, plan.cell * plan.places, plan.grain.aisle
    yield svg.element("rect", x=start, y=y, width=wide, height=high, class_="hotaisle" if hot else "coldaisle")
    contained = hall.containment == ("hot-aisle" if hot else "cold-aisle")
    if contained:
        yield svg.element("rect", x=start + 1, y=y + 1, width=wide - 2, height=high - 2, class_="contained")
    words = f"hot aisle{', contained' if contained else ''}"
    if not hot:
        words = f"cold aisle, {hall.supply_celsius:g} °C{', contained' if contained else ''}"
    if high >= 11:
        middle = y + high / 2 + 2.8
        yield svg.text(words, x=start + wide / 2, y=middle, class_=f"s c {'thot' if hot else 'tcold'}")


def _row(hall: HallPicture, plan: FloorPlan, row: Row, x: float, y: float, *, front_below: bool) -> Iterator[Markup]:
    grain, start = plan.grain, x + LABEL
    middle = y + grain.high / 2 + 3
    size = "s" if grain.words == 0 else ""
    yield svg.text(f"row {row.number}", x=x + LABEL - 6, y=middle, class_=f"e {size}".strip())
    yield from floor_place.free(row, plan.places, plan.cell, start, y, grain)
    for run in row.runs:
        yield floor_place.racks(run, plan.cell, start, y, grain, hall.floor_kg)
    edge = y + grain.high if front_below else y
    if row.runs:
        yield svg.element("line", x1=start, x2=start + plan.cell * plan.places, y1=edge, y2=edge, class_="front")
    if row.racks:
        end = start + plan.cell * plan.places + 8
        yield svg.text(
            figures.kilowatts(row.kw), x=end, y=middle - (4 if grain.words > 1 else 0), class_=f"b {size}".strip()
        )
        if grain.words > 1:
            liquid = f", {figures.amount(row.liquid_kw)} liquid" if row.liquid_kw else ""
            yield svg.text(f"{figures.count(row.racks, 'rack')}{liquid}", x=end, y=middle + 8, class_="s m")


def _facts(hall: HallPicture) -> list[str]:
    places = len(hall.rows) * hall.places_per_row
    heat = "all to air" if not hall.liquid_kw else (
        f"{figures.kilowatts(hall.kw - hall.liquid_kw)} to air, {figures.kilowatts(hall.liquid_kw)} to liquid"
    )  # fmt: skip
    return [
        f"{figures.count(hall.racks, 'rack')} on {figures.count(places, 'place')}",
        f"{figures.kilowatts(hall.kw)} peak, {heat}",
        f"supply air {hall.supply_celsius:g} °C",
        f"floor carries {hall.floor_kg:,.0f} kg per rack",
    ]


def _summary(hall: HallPicture) -> str:
    rows = "; ".join(
        f"row {row.number}: {figures.count(row.racks, 'rack')}, {figures.kilowatts(row.kw)}" for row in hall.rows[:40]
    )
    more = f"; and {len(hall.rows) - 40} more rows" if len(hall.rows) > 40 else ""
    return f"{', '.join(_facts(hall))}. {rows}{more}."


def _note(plan: FloorPlan) -> str:
    note = "Peak loads. The heavy line is the front of a row, which faces the cold aisle; "
    note += "the sides of aisles and the places of feeds and cooling machines along the walls are schematic."
    if plan.columns > 1:
        note += f" Rows continue in the next column after every {plan.rows}."
    return note


def _keys(hall: HallPicture) -> list[LegendKey]:
    keys = [LegendKey(swatch(f"heat h{at}"), words) for at, words in enumerate(floor_place.classes())]
    keys += [LegendKey(swatch("free"), "free place"), LegendKey(stroke("front"), "front of a row")]
    if hall.liquid_kw:
        keys += [LegendKey(swatch("air"), "heat to air"), LegendKey(swatch("liquid"), "heat to liquid")]
    return keys
