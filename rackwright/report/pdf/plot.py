"""One distribution in the PDF."""

from __future__ import annotations

from typing import Literal

from reportlab.graphics.shapes import Circle, Drawing, Line, Path, Rect, String

from rackwright.model.verdict import Outcome
from rackwright.report.amounts import format_value
from rackwright.report.measured import COLUMNS, Dot, MetricSpread, SpreadRow
from rackwright.report.pdf.style import BAD, COLOURS, FAINT, INK, LINE, SOFT, plain

LEFT, RIGHT, TOP, ROW, FOOT = 62.0, 8.0, 14.0, 13.0, 14.0
RADIUS = 1.7
TEXT = 6.2
Anchor = Literal["start", "middle", "end"]


def drawing(spread: MetricSpread, width: float) -> Drawing:
    """The drawing, `width` points wide."""
    height = TOP + ROW * len(spread.rows) + FOOT
    canvas = Drawing(width, height)

    def across(value: float) -> float:
        return LEFT + spread.place(value) * (width - LEFT - RIGHT)

    for tick in spread.ticks:
        canvas.add(Line(across(tick), FOOT, across(tick), height - TOP, strokeColor=FAINT, strokeWidth=0.5))
        canvas.add(_text(format_value(tick), across(tick), FOOT - 8, "middle"))
    canvas.add(Line(LEFT, FOOT, width - RIGHT, FOOT, strokeColor=INK, strokeWidth=0.6))
    for limit in spread.limits:
        canvas.add(Line(across(limit), FOOT, across(limit), height - TOP + 4, strokeColor=BAD, strokeWidth=1))
    for limit in spread.labelled:
        anchor: Anchor = "start" if spread.place(limit) < 0.5 else "end"
        at = across(limit) + (2 if anchor == "start" else -2)
        label = _text(f"compared with {format_value(limit)}", at, height - TOP + 4, anchor)
        label.fillColor = BAD
        canvas.add(label)
    for index, row in enumerate(spread.rows):
        _row(canvas, spread, row, height - TOP - ROW * (index + 1) + 1, width)
    return canvas


def _text(words: str, x: float, y: float, anchor: Anchor) -> String:
    return String(x, y, plain(words), fontName="Helvetica", fontSize=TEXT, fillColor=SOFT, textAnchor=anchor)


def _row(canvas: Drawing, spread: MetricSpread, row: SpreadRow, base: float, width: float) -> None:
    canvas.add(_text(row.name[:16], LEFT - 5, base + 2, "end"))
    canvas.add(Line(LEFT, base, width - RIGHT, base, strokeColor=LINE, strokeWidth=0.4))
    wide = (width - LEFT - RIGHT) / COLUMNS
    most = max((count for _, count in row.bars), default=1)
    for column, count in row.bars:
        high = max(0.6, (ROW - 3) * count / most)
        bar = Rect(LEFT + column * wide, base, wide - 0.4, high)
        bar.fillColor, bar.strokeColor = COLOURS[Outcome.PASS], None
        canvas.add(bar)
    tallest = max((dot.level for dot in row.dots), default=0)
    room = ROW - 2 * RADIUS - 1
    step = min(2 * RADIUS + 0.2, room / tallest) if tallest else 0.0
    for dot in row.dots:
        x = LEFT + spread.place(dot.value) * (width - LEFT - RIGHT)
        _dot(canvas, dot, x, base + RADIUS + 0.6 + dot.level * step)


def _dot(canvas: Drawing, dot: Dot, x: float, y: float) -> None:
    colour = COLOURS[dot.outcome]
    if dot.outcome is Outcome.PASS:
        canvas.add(Circle(x, y, RADIUS, fillColor=colour, strokeColor=None))
        return
    path = Path(strokeColor=colour, strokeWidth=1.1, fillColor=None)
    if dot.outcome is Outcome.FAIL:
        for side in (2.0, -2.0):
            path.moveTo(x - side, y - 2)
            path.lineTo(x + side, y + 2)
    else:
        path.moveTo(x, y - 2.2)
        for right, up in ((2.2, 0.0), (0.0, 2.2), (-2.2, 0.0)):
            path.lineTo(x + right, y + up)
        path.closePath()
    canvas.add(path)
