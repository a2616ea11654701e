"""A mesh as a ring: members on a circle, a chord for every bundle between two of them.

A ring with many members is drawn with dots and the
chords of the first member alone: all of them would be one black disc.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from rackwright.report.drawing_data.fabric_records import Band, Graph, Tile
from rackwright.report.drawings import fabric_tile, figures, metrics, svg
from rackwright.report.drawings.fabric_map import Map

TILE = 118.0
MOST_TILES = 24
MOST_CHORDS = 320
DOT = 5.0
WORDS = 150.0


@dataclass(frozen=True)
class Spot:
    """Place of a member, and its middle."""

    tile: Tile
    cx: float
    cy: float


def layout(graph: Graph) -> Map:
    """The ring of `graph`."""
    count = len(graph.ring)
    tiles = count <= MOST_TILES
    radius = max(140.0, count * (TILE + 14) / (2 * math.pi)) if tiles else max(180.0, count * 2.6 * DOT / (2 * math.pi))
    edge = TILE / 2 + 4 if tiles else 90.0
    high = 2 * (radius + (fabric_tile.HIGH / 2 + 8 if tiles else 16))
    width = WORDS + 2 * (radius + edge)
    spots = {spot.tile.key: spot for spot in _spots(graph, WORDS + radius + edge, high / 2, radius)}
    bands = (
        graph.bands if len(graph.bands) <= MOST_CHORDS else [b for b in graph.bands if graph.ring[0].key in (b.a, b.b)]
    )
    parts = [_chord(band, spots) for band in bands if band.a in spots and band.b in spots]
    parts += [_member(spot, tiles=tiles) for spot in spots.values()]
    return Map(width, high, [*parts, *_words(graph, visible=len(bands))])


def _spots(graph: Graph, cx: float, cy: float, radius: float) -> Iterator[Spot]:
    for at, tile in enumerate(graph.ring):
        angle = 2 * math.pi * at / len(graph.ring) - math.pi / 2
        yield Spot(tile, cx + radius * math.cos(angle), cy + radius * math.sin(angle))


def _chord(band: Band, spots: dict[str, Spot]) -> Markup:
    a, b = spots[band.a], spots[band.b]
    line = svg.element(
        "line", x1=a.cx, y1=a.cy, x2=b.cx, y2=b.cy, class_="strand", stroke_width=fabric_tile.thickness(band) / 2
    )
    return svg.element("g", svg.title(fabric_tile.band_says(band, a.tile.label, b.tile.label)), line)


def _member(spot: Spot, *, tiles: bool) -> Markup:
    if tiles:
        return fabric_tile.drawing(spot.tile, spot.cx - TILE / 2, spot.cy - fabric_tile.HIGH / 2, TILE)
    dot = svg.element("circle", cx=spot.cx, cy=spot.cy, r=DOT, class_="gear")
    return svg.element("g", svg.title(fabric_tile.tile_title(spot.tile)), dot)


def _words(graph: Graph, *, visible: int) -> Iterator[Markup]:
    bands, count = graph.bands, len(graph.ring)
    cables = sum(band.cables for band in bands)
    each = sorted({band.cables for band in bands})
    number = f"{each[0]:,}" if len(each) == 1 else f"{each[0]:,} to {each[-1]:,}" if each else "no"
    rate = "/".join(str(gbps) for gbps in sorted({band.gbps for band in bands}))
    full = len({(band.a, band.b) for band in bands}) == count * (count - 1) // 2
    lines = [
        f"{count:,} members{', each joined to every other' if full else ''}",
        f"a chord is {number} × {rate} Gb/s",
        f"in all {cables:,} cables, {figures.bandwidth(sum(band.cables * band.gbps for band in bands))}",
    ]
    if visible < len(bands):
        lines.append(f"drawn: the {visible:,} chords of {graph.ring[0].label}; the others are alike")
    at = 0.0
    for line in lines:
        for words in metrics.wrap(line, WORDS - 12, 8.5):
            yield svg.text(words, x=0, y=14.0 + at * 12, class_="n")
            at += 1
        at += 0.5
