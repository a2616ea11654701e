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


class PlacedTile(Protocol):
    """A tile with its place."""

    @property
    def tile(self) -> Tile:
        """The tile itself."""

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
    """The box with as much text as fits: name, number, part."""
    parts = [
        svg.title(tile_title(tile)),
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


def tile_title(tile: Tile) -> str:
    """The tile as a sentence."""
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
    many = [f"{tile.count:,} × {tile.noun}", f"{tile.count:,} {_plain_text(tile)}", f"{tile.count:,}"]
    yield svg.text(metrics.first_fit(many, room, 7.5), x=middle, y=y + 27, class_="s c")
    names = figures.span(tile.first, tile.last, tile.count)
    yield svg.text(metrics.first_fit([names], room, 7.5), x=middle, y=y + 38, class_="s c m")


def _plain_text(tile: Tile) -> str:
    return {"host": "hosts", "leaf": "leaves", "other": "switches"}.get(tile.tier, f"{tile.tier}s")


def thickness(band: Band) -> float:
    """Line width by bandwidth: 1 up to 0.4 Tb/s, 0.8 more for every doubling, at most 9."""
    return max(0.8, min(9.0, 1 + math.log2(max(1.0, band.cables * band.gbps / 400)) * 0.8))


def band_says(band: Band, a: str, b: str) -> str:
    """The bundle as a sentence."""
    speed = figures.bandwidth(band.cables * band.gbps)
    each = band.cables / max(1, band.pairs)
    per = f", {each:g} on each of {band.pairs:,} pairs" if band.pairs > 1 else ""
    return f"{a} to {b}: {figures.count(band.cables, 'cable')} of {band.gbps} Gb/s, {speed}{per}"


SPANS = 2.2
"""A box this much wider than the other stands above or below it: the line between them is drawn straight down."""
MOST_LINES = 64
"""With more equal lines than this between two tiers a reader cannot follow any of them."""
FAINT = 0.7
"""Width of those that are drawn thin."""
_EDGE = 0.7
"""Share of a box's edge over which its lines are spread."""


def bands(all_bands: Sequence[Band], boxes: Mapping[str, PlacedTile]) -> Iterator[Markup]:
    """The lines between tiles: straight down from a wide one, else spread along the edge of both."""
    visible = [band for band in all_bands if band.a in boxes and band.b in boxes]
    ends = _ends(visible, boxes)
    faint = _faint(visible, boxes)
    for at, band in enumerate(visible):
        a, b = boxes[band.a], boxes[band.b]
        y1, y2 = (a.y, b.y + HIGH) if a.y > b.y else (a.y + HIGH, b.y) if a.y < b.y else ((a.y + HIGH / 2),) * 2
        x1, x2 = ends[at, band.a], ends[at, band.b]
        strand, wide = ("strand faint", FAINT) if at in faint else ("strand", thickness(band))
        line = svg.element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=strand, stroke_width=wide)
        yield svg.element("g", svg.title(band_says(band, a.tile.label, b.tile.label)), line)


def _faint(visible: Sequence[Band], boxes: Mapping[str, PlacedTile]) -> set[int]:
    """Indices of bundles to draw thin: of many equal ones between two tiers, all but those of the first tile above."""
    tiers: dict[tuple[float, float], list[int]] = {}
    for at, band in enumerate(visible):
        low, high = sorted((boxes[band.a].y, boxes[band.b].y))
        tiers.setdefault((low, high), []).append(at)
    faint: set[int] = set()
    for (top, bottom), lines in tiers.items():
        alike = len({(visible[at].cables, visible[at].gbps) for at in lines}) == 1
        if top < bottom and alike and len(lines) > MOST_LINES:
            upper = {at: min((boxes[visible[at].a], boxes[visible[at].b]), key=lambda box: box.y).x for at in lines}
            faint |= {at for at in lines if upper[at] > min(upper.values())}
    return faint


def _ends(visible: Sequence[Band], boxes: Mapping[str, PlacedTile]) -> dict[tuple[int, str], float]:
    """(bundle, tile) -> x where the line meets the tile."""
    ends: dict[tuple[int, str], float] = {}
    sides: dict[tuple[str, bool], list[tuple[float, int]]] = {}
    for at, band in enumerate(visible):
        for near, far in ((band.a, band.b), (band.b, band.a)):
            box, far_box = boxes[near], boxes[far]
            middle = far_box.x + far_box.wide / 2
            if box.y == far_box.y or (box.x <= middle <= box.x + box.wide and box.wide > SPANS * far_box.wide):
                ends[at, near] = box.x + box.wide / 2 if box.y == far_box.y else middle
            elif far_box.wide > SPANS * box.wide:
                ends[at, near] = box.x + box.wide / 2
            else:
                sides.setdefault((near, box.y < far_box.y), []).append((middle, at))
    for (near, _), lines in sides.items():
        box = boxes[near]
        for rank, (_, at) in enumerate(sorted(lines)):
            ends[at, near] = box.x + box.wide * (0.5 + _EDGE * ((rank + 0.5) / len(lines) - 0.5))
    return ends
