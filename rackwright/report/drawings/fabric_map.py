"""A fabric as tiers: cores on top, spines, leaves, hosts below; bundles of cables between them.

The width of a bundle follows its bandwidth; what a line between two
tiers holds is written at the left, so that no label stands on a line.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from rackwright.report.drawing_data.fabric_records import Band, Column, Graph, Tile
from rackwright.report.drawings import fabric_tile, figures, metrics, svg

LEFT = 150.0
GAP = 22.0
TIER = 128.0
WIDE, NARROW = 128.0, 42.0
ROOM = 1240.0
"""What the widest tier is fitted into, as long as its tiles can be read."""
TIERS = ("core", "other", "spine", "leaf", "host")
WORDS = {"core": "Cores", "other": "Other fabrics", "spine": "Spines", "leaf": "Leaves", "host": "Hosts"}


@dataclass(frozen=True)
class Box:
    """Where a tile is drawn."""

    tile: Tile
    x: float
    y: float
    wide: float


@dataclass
class Map:
    """All elements of the drawing, and its size."""

    width: float
    height: float
    parts: list[Markup] = field(default_factory=list)


def layout(graph: Graph) -> Map:
    """The tiers of `graph` with their bundles."""
    tiers = [tier for tier in TIERS if any(tile.tier == tier for tile in _all_tiles(graph))]
    tops = {tier: 26.0 + at * TIER for at, tier in enumerate(tiers)}
    slots = [max(_slots(column, tier) for tier in TIERS) for column in graph.columns] or [1]
    shared = max((sum(tile.tier == tier for tile in graph.shared) for tier in TIERS), default=1)
    room = ROOM - LEFT - GAP * (len(slots) - 1)
    slot = max(NARROW, min(WIDE, room / max(sum(slots), shared)))
    width = LEFT + max(sum(slots), shared, 4) * slot + GAP * (len(slots) - 1)
    boxes: dict[str, Box] = {}
    stretch = (width - LEFT - GAP * (len(slots) - 1)) / sum(slots)
    x = LEFT
    frames: list[Markup] = []
    names: list[Markup] = []
    for column, count in zip(graph.columns, slots, strict=False):
        if column.label:
            frames += _frame(column, x, count * stretch, tops, tiers)
            names.append(_name(column, x, count * stretch, tops, tiers))
        for box in _column(column, x, count * stretch, stretch, tops):
            boxes[box.tile.key] = box
        x += count * stretch + GAP
    for box in _shared_boxes(graph.shared, width, tops):
        boxes[box.tile.key] = box
    height = tops[tiers[-1]] + fabric_tile.HIGH + 8
    lines = list(fabric_tile.bands(graph.bands, boxes))
    words = [part for tier in tiers for part in _tier(graph, tier, tops[tier])]
    words += [
        part
        for low, high in zip(tiers[1:], tiers, strict=False)
        for part in _tier_caption(graph, boxes, low, high, tops)
    ]
    parts = [
        *frames,
        *lines,
        *names,
        *(fabric_tile.drawing(box.tile, box.x, box.y, box.wide) for box in boxes.values()),
        *words,
    ]
    return Map(width, height, parts)


def _all_tiles(graph: Graph) -> list[Tile]:
    return [*graph.shared, *(tile for column in graph.columns for tile in column.tiles)]


def _slots(column: Column, tier: str) -> int:
    return sum(tile.tier == tier for tile in column.tiles)


def _column(column: Column, x: float, wide: float, slot: float, tops: dict[str, float]) -> Iterator[Box]:
    """Boxes of a column's tiles: one per slot if there are about as many tiles as slots, else spread evenly; a single tile spans the column."""
    for tier in TIERS:
        tiles = [tile for tile in column.tiles if tile.tier == tier]
        if not tiles:
            continue
        most = max(_slots(column, name) for name in TIERS)
        aligned = tier in {"leaf", "host"} and len(tiles) > most // 2 and len(tiles) > 1
        step = slot if aligned else wide / len(tiles)
        for at, tile in enumerate(tiles):
            gap = min(8.0, step * 0.12)
            full = step - gap if len(tiles) > 1 else wide - gap
            narrow = min(full, WIDE * 1.6) if len(tiles) > 1 else full
            yield Box(
                tile,
                x + at * step + (step - gap - narrow) / 2 + gap / 2 if len(tiles) > 1 else x + gap / 2,
                tops[tier],
                narrow,
            )


def _shared_boxes(tiles: Sequence[Tile], width: float, tops: dict[str, float]) -> Iterator[Box]:
    for tier in TIERS:
        mine = [tile for tile in tiles if tile.tier == tier]
        step = (width - LEFT) / max(1, len(mine))
        for at, tile in enumerate(mine):
            yield Box(tile, LEFT + at * step + 3, tops[tier], step - 6)


def _frame(column: Column, x: float, wide: float, tops: dict[str, float], tiers: Sequence[str]) -> Iterator[Markup]:
    """The frame of a column; equal columns are indicated by frames behind it."""
    mine = [tier for tier in tiers if any(tile.tier == tier for tile in column.tiles)]
    top, bottom = tops[mine[0]] - 20, tops[mine[-1]] + fabric_tile.HIGH + 6
    for behind in range(min(column.alike, 3) - 1, 0, -1):
        yield svg.element(
            "rect", x=x - 4 + 3.5 * behind, y=top - 3.5 * behind, width=wide + 8, height=bottom - top, class_="pane"
        )
    yield svg.element("rect", x=x - 4, y=top, width=wide + 8, height=bottom - top, class_="pane")


def _name(column: Column, x: float, wide: float, tops: dict[str, float], tiers: Sequence[str]) -> Markup:
    """The name of a column in the left half of its frame, because bundles from above enter in the middle."""
    top = min(tops[tier] for tier in tiers if any(tile.tier == tier for tile in column.tiles)) - 20
    forms = [column.label, column.label.partition(":")[0], column.label.rpartition(" ")[2]]
    short = metrics.first_fit(forms, wide / 2 - 8, 8.5)
    return svg.element("g", svg.title(column.label), svg.text(short, x=x, y=top + 11, class_="n"))


def _tier(graph: Graph, tier: str, y: float) -> Iterator[Markup]:
    tiles = [tile for tile in graph.shared if tile.tier == tier]
    number = sum(tile.count for tile in tiles)
    number += sum(tile.count * column.alike for column in graph.columns for tile in column.tiles if tile.tier == tier)
    flat = tier == "leaf" and not any(tile.tier in {"spine", "core"} for tile in _all_tiles(graph))
    yield svg.text("Switches" if flat else WORDS[tier], x=0, y=y + 16, class_="l b")
    yield svg.text(f"{number:,}", x=0, y=y + 29, class_="m")


def _tier_caption(graph: Graph, boxes: dict[str, Box], low: str, high: str, tops: dict[str, float]) -> Iterator[Markup]:
    """Caption between two tiers: the cables of one line, and of all lines together."""
    alike = {tile.key: column.alike for column in graph.columns for tile in column.tiles}
    bands = [
        b
        for b in graph.bands
        if b.a in boxes and b.b in boxes and {boxes[b.a].tile.tier, boxes[b.b].tile.tier} == {low, high}
    ]
    if not bands:
        return
    y = (tops[low] + tops[high] + fabric_tile.HIGH) / 2
    lines = [_cables_each(bands), _all_of(bands, alike)]
    for at, words in enumerate(part for line in lines for part in metrics.wrap(line, LEFT - 14, 8)):
        yield svg.text(words, x=0, y=y - 8 + at * 11, class_="n")


def _cables_each(bands: Sequence[Band]) -> str:
    cables = sorted({band.cables for band in bands})
    rates = sorted({band.gbps for band in bands})
    number = f"{cables[0]:,}" if len(cables) == 1 else f"{cables[0]:,} to {cables[-1]:,}"
    rate = " or ".join(str(value) for value in rates)
    return f"a line is {number} × {rate} Gb/s"


def _all_of(bands: Sequence[Band], alike: dict[str, int]) -> str:
    times = [max(alike.get(band.a, 1), alike.get(band.b, 1)) for band in bands]
    cables = sum(band.cables * n for band, n in zip(bands, times, strict=True))
    speed = math.fsum(band.cables * band.gbps * n for band, n in zip(bands, times, strict=True))
    return f"in all {cables:,} cables, {figures.bandwidth(speed)}"
