"""Front elevation of one rack.

Color, a mark and, for a refused machine, hatching show the status, so it is readable without color.
"""

from __future__ import annotations

from markupsafe import Markup

from rackwright.report.drawings import svg
from rackwright.report.view import NodeStatus, RackDevice, ReportRack

U = 11.0
WIDTH = 168.0
GUTTER = 18.0
TOP = 30.0
BOTTOM = 6.0
FONT = 8.5
_INNER = WIDTH - GUTTER - 6

MARKS = {
    NodeStatus.ACCEPTED: "✓",
    NodeStatus.REFUSED: "✕",
    NodeStatus.UNDECIDED: "○",
    NodeStatus.NOT_COVERED: "",
    NodeStatus.UNJUDGED: "",
}
"""Marks of the status, the same everywhere in the report."""


def elevation(rack: ReportRack) -> Markup:
    """The front of `rack` with every device in its units."""
    height = TOP + rack.rack_units * U + BOTTOM
    place = f"{rack.hall}, row {rack.row}, position {rack.position}"
    head = [
        svg.text(rack.rack, x=GUTTER, y=12.0, class_="rack-name"),
        svg.text(place, x=GUTTER, y=23.0, class_="rack-place"),
    ]
    frame = svg.element(
        "rect", x=GUTTER - 2, y=TOP - 2, width=_INNER + 4, height=rack.rack_units * U + 4, class_="rack-frame"
    )
    scale = [mark for unit in range(1, rack.rack_units + 1) for mark in _unit(unit, rack.rack_units)]
    devices = [_device(device, rack.rack_units) for device in rack.devices]
    says = f"{len(rack.devices)} devices, {rack.peak_kw:.1f} kW peak"
    name = f"Rack {rack.rack}, front ({place})"
    return svg.drawing(name, says, WIDTH, height, *head, frame, *scale, *devices, ident=f"rack-{rack.rack}")


def top_of(unit: int, height: int, rack_units: int) -> float:
    """The y of the upper edge of a device that starts at `unit` and is `height` units high."""
    return TOP + (rack_units - unit - height + 1) * U


def _unit(unit: int, rack_units: int) -> list[Markup]:
    y = top_of(unit, 1, rack_units)
    line = svg.element("line", x1=GUTTER, x2=GUTTER + _INNER, y1=y + U, y2=y + U, class_="rack-line")
    if unit % 2:
        return [line]
    return [line, svg.text(str(unit), x=GUTTER - 4, y=y + U - 2.6, class_="rack-unit", text_anchor="end")]


def _device(device: RackDevice, rack_units: int) -> Markup:
    y = top_of(device.unit, device.rack_units, rack_units)
    tall = device.rack_units * U
    box = {"x": GUTTER, "y": y + 0.5, "width": _INNER, "height": tall - 1}
    parts = [
        svg.title(device.says),
        svg.element("rect", class_=f"device {device.status}", **box),
    ]
    if device.status is NodeStatus.REFUSED:
        parts.append(svg.element("rect", class_="hatch", fill="url(#hatch)", **box))
    return svg.element("g", *parts, *_labels(device, y, tall))


def _labels(device: RackDevice, y: float, tall: float) -> list[Markup]:
    """Name and mark in the first line; the part below it, or at the right where there is only one unit."""
    mark = MARKS[device.status]
    start, right = GUTTER + 5, GUTTER + _INNER - 5
    if device.rack_units == 1:
        labels = [svg.text(svg.shorten(device.device, _INNER * 0.6, FONT), x=start, y=y + U - 2.6, class_="label")]
        if not mark:
            part = svg.shorten(device.sku, _INNER * 0.36, FONT - 1.5)
            labels.append(svg.text(part, x=right, y=y + U - 2.8, class_="part", text_anchor="end"))
    else:
        middle = y + tall / 2
        labels = [
            svg.text(svg.shorten(device.device, _INNER - 28, FONT + 1), x=start, y=middle - 1, class_="label big"),
            svg.text(svg.shorten(device.sku, _INNER - 28, FONT - 0.5), x=start, y=middle + 9, class_="part"),
        ]
    if mark:
        big = device.rack_units > 1
        baseline = y + tall / 2 + (5 if big else 3.2)
        labels.append(svg.text(mark, x=right, y=baseline, class_=f"mark{' big' if big else ''}", text_anchor="end"))
    return labels
