"""The sheet of one fabric: the whole of it, and where that is coarse, one part of it switch by switch."""

from __future__ import annotations

from markupsafe import Markup

from rackwright.report.drawing_data.fabric_records import Fabric, Graph
from rackwright.report.drawings import fabric_map, fabric_ring, svg
from rackwright.report.drawings.fabric_map import Map
from rackwright.report.drawings.sheet import Key, Sheet, frame, stroke, swatch

PANEL = 34.0
NOTE = (
    "A line is a bundle of cables, as wide as its bandwidth is high; point at it for what it holds. A box with others "
    "behind it stands for several; where only two figures fit, they are the number of the unit and how many it has."
)


def drawing(fabric: Fabric, site: str) -> Markup:
    """All graphs of `fabric`, one below the other."""
    maps = [(graph, _layout(graph)) for graph in fabric.graphs]
    body: list[Markup] = []
    y = 0.0
    for graph, made in maps:
        y += PANEL / 2 if y else 0.0
        if len(maps) > 1:
            body.append(svg.text(graph.title, x=0, y=y + 8, class_="l b"))
            y += 20
        body.append(svg.element("g", *made.parts, transform=f"translate(0 {svg.number(y)})"))
        y += made.height + 4
    sheet = Sheet(
        ident=f"topology-{fabric.name}",
        title=f"Fabric {fabric.name}",
        facts=fabric.graphs[0].facts,
        body=body,
        width=max(made.width for _, made in maps),
        height=y,
        says=_says(fabric),
        note=NOTE,
        keys=[
            Key(swatch("gear"), "switches"),
            Key(swatch("server"), "hosts"),
            Key(stroke("strand", stroke_width=1), "0.4 Tb/s"),
            Key(stroke("strand", stroke_width=4.5), "8 Tb/s"),
            Key(stroke("strand", stroke_width=9), "over 400 Tb/s"),
        ],
    )
    return frame(sheet, site)


def _layout(graph: Graph) -> Map:
    return fabric_ring.layout(graph) if graph.ring else fabric_map.layout(graph)


def _says(fabric: Fabric) -> str:
    tiers = []
    for graph in fabric.graphs[:1]:
        tiles = [*graph.ring, *graph.shared, *(tile for column in graph.columns for tile in column.tiles)]
        tiers = [f"{tile.label}: {tile.count} × {tile.noun}" for tile in tiles[:60]]
    return f"{', '.join(fabric.graphs[0].facts)}. {'; '.join(tiers)}."
