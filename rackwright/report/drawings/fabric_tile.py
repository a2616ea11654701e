"""One tile of a fabric, and one bundle of cables between two tiles."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from markupsafe import Markup

from rackwright.report.drawing_data.fabric_records import Band, Tile
from rackwright.report.drawings import figures, metrics, svg

HIGH = 44.0
_CLASSES = {"host": "server", "leaf": "gear", "spine": "gear", "core": "gear", "other": "free"}


class Placed(Protocol):
    """A tile with its place."""

    @property
    def tile(self) -> Tile:
        """What is drawn."""

    @property
    def x(self) -> float:
        """Left edge."""

    @property
    def y(self) -> float:
        """Upper edge."""

    @property
    def wide(self) -> float:
        """Width."""


def drawing(tile: Tile, x: float, y: float, wide: float) -> Markup:
    """The box with what fits: name, number, part."""
    parts = [
        svg.title(says(tile)),
        *(
            svg.element(
                "rect", x=x + 2.5 * behind, y=y - 2.5 * behind, width=wide - 5, height=HIGH, class_=_CLASSES[tile.tier]
            )
            for behind in range(min(tile.count, 3) - 1, 0, -1)
        ),
        svg.element(
            "rect", x=x, y=y, width=wide - (5 if tile.count > 1 else 0), height=HIGH, class_=_CLASSES[tile.tier]
        ),
    ]
    return svg.element("g", *parts, *_words(tile, x + (wide - (5 if tile.count > 1 else 0)) / 2, y, wide - 9))


def says(tile: Tile) -> str:
    """The tile in words."""
    names = figures.span(tile.first, tile.last, tile.count)
    return f"{tile.label}: {tile.count:,} × {tile.noun} ({names})" if tile.count > 1 else f"{tile.first}, {tile.noun}"


def _words(tile: Tile, middle: float, y: float, room: float) -> Iterator[Markup]:
    short = tile.label.rpartition("-")[2]
    units = tile.label.partition(" ")[2]
    forms = [tile.label, units or tile.label.partition("-")[2] or short, units.replace(" to ", "–") or short]
    name = metrics.first_fit(forms, room, 8.5, bold=True) or metrics.fit(short, room, 7.5)
    yield svg.text(name, x=middle, y=y + 15, class_="b c")
    if tile.count == 1:
        yield svg.text(metrics.first_fit([tile.noun], room, 7.5), x=middle, y=y + 28, class_="s c m")
        return
    many = [f"{tile.count:,} × {tile.noun}", f"{tile.count:,} {_plain(tile)}", f"{tile.count:,}"]
    yield svg.text(metrics.first_fit(many, room, 7.5), x=middle, y=y + 27, class_="s c")
    names = figures.span(tile.first, tile.last, tile.count)
    yield svg.text(metrics.first_fit([names], room, 7.5), x=middle, y=y + 38, class_="s c m")


def _plain(tile: Tile) -> str:
    return {"host": "hosts", "leaf": "leaves", "other": "switches"}.get(tile.tier, f"{tile.tier}s")


def thickness(band: Band) -> float:
    """Line width by bandwidth: 1 at 0.4 Tb/s, one more for every doubling, 9 at most."""
    return max(0.8, min(9.0, 1 + math.log2(max(1.0, band.cables * band.gbps / 400)) * 0.8))


def band_says(band: Band, a: str, b: str) -> str:
    """The bundle in words."""
    speed = figures.bandwidth(band.cables * band.gbps)
    each = band.cables / max(1, band.pairs)
    per = f", {each:g} on each of {band.pairs:,} pairs" if band.pairs > 1 else ""
    return f"{a} to {b}: {figures.count(band.cables, 'cable')} of {band.gbps} Gb/s, {speed}{per}"


SPANS = 2.2
"""A box this much wider than the other stands above or below it: the line between them is drawn straight down."""
_EDGE = 0.7
"""Share of a box's edge over which its lines are spread."""


def bands(found: Sequence[Band], boxes: Mapping[str, Placed]) -> Iterator[Markup]:
    """The lines between tiles: straight down from a wide one, else spread along the edge of both."""
    drawn = [one for one in found if one.a in boxes and one.b in boxes]
    ends = _ends(drawn, boxes)
    for at, one in enumerate(drawn):
        a, b = boxes[one.a], boxes[one.b]
        y1, y2 = (a.y, b.y + HIGH) if a.y > b.y else (a.y + HIGH, b.y) if a.y < b.y else ((a.y + HIGH / 2),) * 2
        x1, x2 = ends[at, one.a], ends[at, one.b]
        line = svg.element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_="strand", stroke_width=thickness(one))
        yield svg.element("g", svg.title(band_says(one, a.tile.label, b.tile.label)), line)


def _ends(drawn: Sequence[Band], boxes: Mapping[str, Placed]) -> dict[tuple[int, str], float]:
    """Where every line touches each of its tiles."""
    ends: dict[tuple[int, str], float] = {}
    sides: dict[tuple[str, bool], list[tuple[float, int]]] = {}
    for at, one in enumerate(drawn):
        for here, there in ((one.a, one.b), (one.b, one.a)):
            own, other = boxes[here], boxes[there]
            middle = other.x + other.wide / 2
            if own.y == other.y or (own.x <= middle <= own.x + own.wide and own.wide > SPANS * other.wide):
                ends[at, here] = own.x + own.wide / 2 if own.y == other.y else middle
            elif other.wide > SPANS * own.wide:
                ends[at, here] = own.x + own.wide / 2
            else:
                sides.setdefault((here, own.y < other.y), []).append((middle, at))
    for (here, _), lines in sides.items():
        own = boxes[here]
        for rank, (_, at) in enumerate(sorted(lines)):
            ends[at, here] = own.x + own.wide * (0.5 + _EDGE * ((rank + 0.5) / len(lines) - 0.5))
    return ends
