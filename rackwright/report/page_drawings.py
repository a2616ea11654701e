"""The drawings of the design on the page of a report."""

from __future__ import annotations

from markupsafe import Markup

from rackwright.report.drawing_data.pictures import Pictures
from rackwright.report.drawings import coolant, fabric_sheet, floor, power, rack_sheet


def sheets(pictures: Pictures, site: str) -> list[tuple[str, list[Markup]]]:
    """Headings with their drawings; empty headings are omitted."""
    groups = [
        ("Floor", [floor.drawing(hall, site) for hall in pictures.halls]),
        (
            "Racks, one of each kind, front and rear",
            [rack_sheet.drawing(f, pictures.feeds, site) for f in pictures.faces],
        ),
        ("Fabrics", [fabric_sheet.drawing(data, site) for data in pictures.fabrics if data.graphs]),
        ("Power", [power.drawing(pictures.power, site)] if pictures.power else []),
        ("Cooling", [coolant.drawing(data, site) for data in pictures.cooling]),
    ]
    return [(heading, drawings) for heading, drawings in groups if drawings]
