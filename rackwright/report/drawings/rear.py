"""Rear of a rack: devices, PDUs or circuits at the sides, manifold, busbar.

What is plugged into the devices is drawn by `rear_device`.
"""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from rackwright.report.drawing_data.records import Face, FaceStrip
from rackwright.report.drawings import face, figures, metrics, rear_device, shelf, svg

STRIP = 17.0
PIPE = 7.0


def sides(rack: Face) -> tuple[list[FaceStrip], list[FaceStrip]]:
    """Circuits at the left and at the right: the first half of the feeds and the other."""
    half = -(-len(rack.strips) // 2)
    return rack.strips[:half], rack.strips[half:]


def width(rack: Face) -> float:
    """Width of everything beside the face, both sides together."""
    left_side, right = sides(rack)
    return (len(left_side) + len(right)) * (STRIP + 3) + _pipes(rack) + face.SCALE + 12


def _pipes(rack: Face) -> float:
    return 3 * PIPE + 6 if rack.liquid_kw else 0.0


def side(rack: Face, x: float, y: float) -> Iterator[Markup]:
    """The rear with its PDUs and pipes; (x, y) is the upper left corner of the leftmost PDU."""
    left_side, right = sides(rack)
    high = rack.rack_units * face.U
    for at, strip in enumerate(left_side):
        yield _strip(rack, strip, x + at * (STRIP + 3), y, high)
    inner = x + len(left_side) * (STRIP + 3) + face.SCALE + 6
    yield from face.frame(inner, y, rack.rack_units, "Rear")
    yield from face.scale(inner - 6, y, rack.rack_units)
    if rack.busbar_amps:
        yield _busbar(rack, inner, y, high)
    for slot in rack.slots:
        yield rear_device.drawing(slot, inner, y + face.top_of(slot.unit, slot.rack_units, rack.rack_units))
    yield from shelf.drawings(rack, inner, y)
    beside = inner + face.INNER + 6
    if rack.liquid_kw:
        yield from _manifold(rack, beside, y, high)
    for at, strip in enumerate(right):
        yield _strip(rack, strip, beside + _pipes(rack) + at * (STRIP + 3), y, high)


def _strip(rack: Face, strip: FaceStrip, x: float, y: float, high: float) -> Markup:
    figure = figures.load_of_capacity(strip.load_kw, strip.usable_kw)
    title = f"{strip.circuit} · {rack.pdu or 'circuit'} · {figure}"
    words = metrics.first_fit([title, f"{strip.circuit} · {figure}", strip.circuit], high - 12, 8)
    turn = f"rotate(-90 {svg.number(x + STRIP / 2 + 3)} {svg.number(y + high - 6)})"
    filled = (high - 2) * figures.share(strip.load_kw, strip.usable_kw)
    parts = [
        svg.title(f"{'rack PDU' if rack.pdu else 'circuit'} {strip.circuit}: carries {figure}"),
        svg.element("rect", x=x, y=y, width=STRIP, height=high, class_=f"f{strip.feed % 6}", rx=2),
        svg.element("rect", x=x + STRIP - 3, y=y + high - 1 - filled, width=2, height=filled, class_="paper"),
        svg.text(words, x=x + STRIP / 2 + 3, y=y + high - 6, class_="s on", transform=turn),
    ]
    return svg.element("g", *parts)


def _busbar(rack: Face, x: float, y: float, high: float) -> Markup:
    """The busbar, drawn behind the devices on it."""
    return svg.element(
        "g",
        svg.title(f"busbar, {rack.busbar_amps:,} A, fed by the power shelves of the rack"),
        svg.element("rect", x=x + face.INNER / 2 - 5, y=y, width=10, height=high, class_="full"),
    )


def _manifold(rack: Face, x: float, y: float, high: float) -> Iterator[Markup]:
    """Supply and return pipe, and a branch to every liquid-cooled device."""
    for at, (cls, name) in enumerate((("coldfill", "coolant supply"), ("hotfill", "coolant return"))):
        start = x + at * (PIPE + 3)
        yield svg.element(
            "g", svg.title(name), svg.element("rect", x=start, y=y, width=PIPE, height=high, class_=cls, rx=3)
        )
        for slot in rack.slots:
            if slot.liquid:
                middle = (
                    y
                    + face.top_of(slot.unit, slot.rack_units, rack.rack_units)
                    + slot.rack_units * face.U / 2
                    - 2
                    + 4 * at
                )
                yield svg.element(
                    "line",
                    x1=x - 6,
                    x2=start + 1,
                    y1=middle,
                    y2=middle,
                    class_="hot" if at else "cold",
                    stroke_width=1.6,
                )
