"""One distribution as a drawing: a dot per node on an axis, a row per rack, and the limit as a line across them.

The shape of a dot shows its outcome as well as its color, so it is readable in print.
"""

from __future__ import annotations

from markupsafe import Markup

from rackwright.model.verdict import Outcome
from rackwright.report.amounts import format_value
from rackwright.report.drawings import svg
from rackwright.report.drawings.metrics import fit
from rackwright.report.measured import COLUMNS, Dot, MetricSpread, SpreadRow

WIDTH, LEFT, RIGHT = 560.0, 96.0, 14.0
TOP, ROW, FOOT = 26.0, 26.0, 24.0
RADIUS = 3.2
LEAST_STEP = 1.1
"""Distance between stacked dots when there are so many that they overlap."""


def drawing(spread: MetricSpread, number: int) -> Markup:
    """The drawing; `number` makes its ids unique on the page."""
    height = TOP + ROW * len(spread.rows) + FOOT
    says = f"{len(spread.values)} nodes, from {format_value(spread.values[0])} to {format_value(spread.values[-1])} {spread.unit}"
    says += f"; compared with {', '.join(format_value(limit) for limit in spread.limits)}" if spread.limits else ""
    parts = [*_axis(spread, height), *_limits(spread, height)]
    for index, row in enumerate(spread.rows):
        parts += _row(spread, row, TOP + ROW * index)
    return svg.drawing(spread.title, says, WIDTH, height, *parts, ident=f"spread-{number}", class_="strip")


def _axis_position(spread: MetricSpread, value: float) -> float:
    return LEFT + spread.place(value) * (WIDTH - LEFT - RIGHT)


def _axis(spread: MetricSpread, height: float) -> list[Markup]:
    bottom = height - FOOT
    parts = []
    for tick in spread.ticks:
        x = _axis_position(spread, tick)
        parts.append(svg.element("line", x1=x, y1=TOP, x2=x, y2=bottom, class_="grid"))
        parts.append(svg.text(format_value(tick), x=x, y=bottom + 13, text_anchor="middle", class_="tick-text"))
    parts.append(svg.element("line", x1=LEFT, y1=bottom, x2=WIDTH - RIGHT, y2=bottom, class_="axis"))
    return parts


def _limits(spread: MetricSpread, height: float) -> list[Markup]:
    parts = []
    for limit in spread.limits:
        x = _axis_position(spread, limit)
        parts.append(svg.element("line", x1=x, y1=TOP - 6, x2=x, y2=height - FOOT, class_="limit"))
    for limit in spread.labelled:
        anchor = "start" if spread.place(limit) < 0.5 else "end"
        at = _axis_position(spread, limit) + (4 if anchor == "start" else -4)
        parts.append(
            svg.text(f"compared with {format_value(limit)}", x=at, y=TOP - 9, text_anchor=anchor, class_="limit-text")
        )
    return parts


def _row(spread: MetricSpread, row: SpreadRow, top: float) -> list[Markup]:
    name = fit(row.name, LEFT - 12, 9)
    base = top + ROW - 2
    tallest = max((dot.level for dot in row.dots), default=0)
    step = min(2 * RADIUS + 0.6, max(LEAST_STEP, (ROW - 2 * RADIUS - 4) / tallest)) if tallest else 0.0
    parts = [
        svg.text(name, x=LEFT - 8, y=base - 5, text_anchor="end", class_="row-name"),
        svg.element("line", x1=LEFT, y1=base, x2=WIDTH - RIGHT, y2=base, class_="row-line"),
    ]
    most = max((count for _, count in row.bars), default=1)
    parts += [_bar(spread, column, count, most, base) for column, count in row.bars]
    return parts + [
        _dot(spread, dot, base - RADIUS - 1 - min(dot.level * step, ROW - 2 * RADIUS - 3)) for dot in row.dots
    ]


def _bar(spread: MetricSpread, column: int, count: int, most: int, base: float) -> Markup:
    width = (WIDTH - LEFT - RIGHT) / COLUMNS
    height = max(1.0, (ROW - 6) * count / most)
    low, high = (spread.low + (spread.high - spread.low) * (column + end) / COLUMNS for end in (0, 1))
    title = svg.title(f"{count} nodes from {format_value(low)} to {format_value(high)} {spread.unit}")
    x = LEFT + column * width
    return svg.element("rect", title, x=x, y=base - height, width=width - 0.8, height=height, class_="bar")


def _dot(spread: MetricSpread, dot: Dot, y: float) -> Markup:
    x = _axis_position(spread, dot.value)
    title = svg.title(f"{dot.node}: {format_value(dot.value)} {spread.unit}, {dot.outcome.value.replace('_', ' ')}")
    if dot.outcome is Outcome.PASS:
        return svg.element("circle", title, cx=x, cy=y, r=RADIUS, class_="dot pass")
    if dot.outcome is Outcome.FAIL:
        path = f"M{x - 3.6:.1f} {y - 3.6:.1f}l7.2 7.2m0 -7.2l-7.2 7.2"
        return svg.element("path", title, d=path, class_="dot fail")
    path = f"M{x:.1f} {y - 4:.1f}l4 4l-4 4l-4 -4z"
    return svg.element("path", title, d=path, class_=f"dot {dot.outcome.value}")
