"""The sheet of every drawing of a design: title, facts, legend, title block.

A4 landscape is 1.41 wide to high; sheets are as large as their content and scale to the paper, with letters of at least seven units.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from rackwright.report.drawings import metrics, svg

MARGIN = 24.0
HEAD = 62.0
FOOT = 26.0
KEY_HIGH = 20.0
NARROWEST = 560.0
MOST_FACTS = 3


@dataclass(frozen=True)
class LegendKey:
    """One entry of the legend: a symbol in a box of 16 by 12, and its meaning."""

    mark: Markup
    says: str


@dataclass(frozen=True)
class SheetFrame:
    """A drawing before it is framed. The body is drawn from (0, 0)."""

    ident: str
    """Unique on a page; letters, digits, hyphens."""
    title: str
    facts: Sequence[str]
    """What the drawing shows in figures, most important first; at most three lines are kept."""
    body: Sequence[Markup]
    width: float
    height: float
    says: str
    """The drawing in words, for readers who cannot see it."""
    note: str = ""
    """What a reader must know to read it right: scale, conventions."""
    keys: Sequence[LegendKey] = field(default_factory=tuple)


def swatch(cls: str, words: str = "", text_class: str = "") -> Markup:
    """A filled box of the legend."""
    box = svg.element("rect", x=0.5, y=0.5, width=15, height=11, class_=cls)
    if not words:
        return box
    return box + svg.text(words, x=8, y=9, class_=f"c s {text_class}".strip())


def stroke(cls: str, **more: svg.Value) -> Markup:
    """A line of the legend."""
    return svg.element("line", x1=0, y1=6, x2=16, y2=6, class_=cls, **more)


def frame(sheet: SheetFrame, site: str) -> Markup:
    """The finished sheet of `site`."""
    inner = max(sheet.width, NARROWEST)
    rows = _keys(sheet.keys, inner)
    note = metrics.wrap(sheet.note, inner, 8.5) if sheet.note else []
    facts = _lines(sheet.facts, inner)[:MOST_FACTS]
    top = HEAD + 13 * max(0, len(facts) - 1)
    below = top + sheet.height + 14
    bottom = below + len(rows) * KEY_HIGH + len(note) * 12 + 8
    width, height = inner + 2 * MARGIN, bottom + FOOT
    parts = [svg.element("rect", x=0, y=0, width=width, height=height, class_="paper")]
    parts += _head(sheet, facts, inner)
    shift = MARGIN + (inner - sheet.width) / 2
    parts.append(svg.element("g", *sheet.body, transform=f"translate({svg.number(shift)} {svg.number(top)})"))
    parts += [_placed_mark(mark, MARGIN + x, below + at * KEY_HIGH) for at, row in enumerate(rows) for x, mark in row]
    for at, line in enumerate(note):
        parts.append(svg.text(line, x=MARGIN, y=below + len(rows) * KEY_HIGH + 9 + at * 12, class_="n"))
    parts += _sheet_foot(sheet, site, inner, bottom)
    return svg.drawing(sheet.title, sheet.says, width, height, *parts, ident=sheet.ident, class_="sheet")


def _lines(facts: Sequence[str], room: float) -> list[str]:
    """Lines of facts separated by dots, broken between facts."""
    lines: list[str] = []
    for fact in facts:
        longer = f"{lines[-1]} · {fact}" if lines else fact
        if lines and metrics.width(longer, 10) <= room:
            lines[-1] = longer
        else:
            lines.append(metrics.fit(fact, room, 10))
    return lines


def _head(sheet: SheetFrame, facts: Sequence[str], inner: float) -> list[Markup]:
    parts = [svg.text(metrics.fit(sheet.title, inner, 17, bold=True), x=MARGIN, y=30.0, class_="h")]
    parts += [svg.text(line, x=MARGIN, y=47.0 + 13 * at, class_="f") for at, line in enumerate(facts)]
    return parts


def _keys(keys: Sequence[LegendKey], inner: float) -> list[list[tuple[float, Markup]]]:
    """The entries of the legend with their places, broken into lines."""
    rows: list[list[tuple[float, Markup]]] = []
    x = inner
    for key in keys:
        says = metrics.fit(key.says, inner - 22, 9)
        wide = 22 + metrics.width(says, 9)
        if x + wide > inner:
            rows.append([])
            x = 0.0
        rows[-1].append((x, key.mark + svg.text(says, x=21, y=9.4, class_="k")))
        x += wide + 16
    return rows


def _placed_mark(mark: Markup, x: float, y: float) -> Markup:
    return svg.element("g", mark, transform=f"translate({svg.number(x)} {svg.number(y)})")


def _sheet_foot(sheet: SheetFrame, site: str, inner: float, y: float) -> list[Markup]:
    right = "not to scale"
    room = inner - metrics.width(right, 8.5) - 20
    words = metrics.fit(f"Site {site} · {sheet.title} · drawn by rackwright from the declared site", room, 8.5)
    return [
        svg.element("line", x1=MARGIN, x2=MARGIN + inner, y1=y, y2=y, class_="ruler"),
        svg.text(words, x=MARGIN, y=y + 15, class_="n"),
        svg.text(right, x=MARGIN + inner, y=y + 15, class_="n e"),
    ]
