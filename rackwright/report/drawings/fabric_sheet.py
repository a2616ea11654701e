"""The sheet of one fabric: the whole of it, and if that is coarse, one part of it switch by switch."""

from __future__ import annotations

from markupsafe import Markup

from rackwright.report.drawing_data.fabric_records import FabricPicture, Graph
from rackwright.report.drawings import fabric_map, fabric_ring, svg
from rackwright.report.drawings.fabric_map import Map
from rackwright.report.drawings.sheet import LegendKey, SheetFrame, frame, stroke, swatch

PANEL = 34.0
NOTE = (
    "A line is a bundle of cables, as wide as its bandwidth is high; point at it for what it holds. A box with others "
    "behind it stands for several; where only two figures fit, they are the number of the unit and how many it has. "
    "Where many equal lines cross, those of the first switch are drawn wide, and the others thin."
)


def drawing(fabric: FabricPicture, site: str) -> Markup:
    """All graphs of `fabric`, one below the other."""
    maps = [(graph, _layout(graph)) for graph in fabric.graphs]
    body: list[Markup] = []
    y = 0.0
    for graph, map_drawing in maps:
        y += PANEL / 2 if y else 0.0
        if len(maps) > 1:
            body.append(svg.text(graph.title, x=0, y=y + 8, class_="l b"))
            y += 20
        body.append(svg.element("g", *map_drawing.parts, transform=f"translate(0 {svg.number(y)})"))
        y += map_drawing.height + 4
    sheet = SheetFrame(
        ident=f"topology-{fabric.name}",
        title=f"Fabric {fabric.name}",
        facts=fabric.graphs[0].facts,
        body=body,
        width=max(map_drawing.width for _, map_drawing in maps),
        height=y,
        says=_summary(fabric),
        note=NOTE,
        keys=[
            LegendKey(swatch("gear"), "switches"),
            LegendKey(swatch("server"), "hosts"),
            LegendKey(stroke("strand", stroke_width=1), "0.4 Tb/s"),
            LegendKey(stroke("strand", stroke_width=4.5), "8 Tb/s"),
            LegendKey(stroke("strand", stroke_width=9), "over 400 Tb/s"),
        ],
    )
    return frame(sheet, site)


def _layout(graph: Graph) -> Map:
    return fabric_ring.layout(graph) if graph.ring else fabric_map.layout(graph)


def _summary(fabric: FabricPicture) -> str:
    tiers = []
    for graph in fabric.graphs[:1]:
        tiles = [*graph.ring, *graph.shared, *(tile for column in graph.columns for tile in column.tiles)]
        tiers = [f"{tile.label}: {tile.count} × {tile.noun}" for tile in tiles[:60]]
    return f"{', '.join(fabric.graphs[0].facts)}. {'; '.join(tiers)}."
