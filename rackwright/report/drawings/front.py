"""Front of a rack: devices with their name, part, power and weight.

A device whose fans blow from rear to front is marked, because beside servers that blow the
other way it breathes their hot air.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from markupsafe import Markup

from rackwright.report.drawing_data.records import Face, FaceSlot
from rackwright.report.drawings import face, figures, metrics, svg

_PAD = 6.0


def side(rack: Face, x: float, y: float, remarks: Mapping[str, str]) -> Iterator[Markup]:
    """The front, its upper left corner at (x, y); `remarks`: device -> the problem with its slot."""
    yield from face.frame(x, y, rack.rack_units, "Front")
    yield from face.scale(x - 6, y, rack.rack_units)
    for slot in rack.slots:
        upper = y + face.top_of(slot.unit, slot.rack_units, rack.rack_units)
        yield _device(slot, x, upper, remarks.get(slot.device, ""))


def units(slot: FaceSlot) -> str:
    """``U1 to U8``."""
    return f"U{slot.unit}" if slot.rack_units == 1 else f"U{slot.unit} to U{slot.unit + slot.rack_units - 1}"


def slot_title(slot: FaceSlot) -> str:
    """The device as a sentence."""
    blows = f", air {slot.airflow.replace('-', ' ')}" if slot.airflow != "none" else ""
    figure = f"{figures.kilowatts(slot.kw)} peak, {figures.amount(slot.kg)} kg"
    return f"{slot.device}: {slot.sku}, {slot.role or slot.kind}, {units(slot)}, {figure}{blows}{', liquid-cooled' if slot.liquid else ''}"


def _device(slot: FaceSlot, x: float, y: float, remark: str) -> Markup:
    high = slot.rack_units * face.U
    parts = [
        svg.title(f"{slot_title(slot)}{': ' if remark else ''}{remark}"),
        svg.element("rect", x=x, y=y + 0.5, width=face.INNER, height=high - 1, class_=_class(slot)),
    ]
    if slot.liquid:
        parts.append(svg.element("rect", x=x, y=y + 0.5, width=3, height=high - 1, class_="liquid"))
    if remark:
        return svg.element("g", *parts, *_remarked(slot, x, y, high, remark))
    return svg.element("g", *parts, *(_one_unit(slot, x, y) if slot.rack_units == 1 else _tall_slot(slot, x, y, high)))


def _remarked(slot: FaceSlot, x: float, y: float, high: float, remark: str) -> Iterator[Markup]:
    """A device in a heavy frame, with its problem instead of part and figures."""
    yield svg.element("rect", x=x + 1, y=y + 1.5, width=face.INNER - 2, height=high - 3, class_="heavy")
    start, room = x + _PAD + 2, face.INNER - 2 * _PAD - 2
    if slot.rack_units > 1:
        middle = y + high / 2
        yield svg.text(metrics.fit(slot.device, room, 11, bold=True), x=start, y=middle - 1.5, class_="l b")
        yield svg.text(metrics.fit(remark, room, 7.5, bold=True), x=start, y=middle + 8.5, class_="s w")
        return
    name = metrics.fit(slot.device, room, 8.5, bold=True)
    wide = metrics.width(name, 8.5, bold=True) + 6
    yield svg.text(name, x=start, y=y + face.U - 3.6, class_="b s")
    yield svg.text(metrics.fit(remark, room - wide, 7.5, bold=True), x=start + wide, y=y + face.U - 3.6, class_="s w")


def _class(slot: FaceSlot) -> str:
    return "gear" if slot.kind == "switch" else "server"


def _air(slot: FaceSlot) -> str:
    return " · air from rear" if slot.airflow == "rear-to-front" else ""


def _one_unit(slot: FaceSlot, x: float, y: float) -> Iterator[Markup]:
    base = y + face.U - 3.6
    figure = figures.kilowatts(slot.kw)
    room = face.INNER - 2 * _PAD - metrics.width(figure, 7.5) - 8
    name = metrics.fit(slot.device, room, 8.5, bold=True)
    yield svg.text(name, x=x + _PAD, y=base, class_="b s")
    width_left = room - metrics.width(name, 8.5, bold=True) - 8
    part = metrics.first_fit([f"{slot.sku}{_air(slot)}", slot.sku], width_left, 7.5)
    if part:
        yield svg.text(part, x=x + face.INNER - _PAD - metrics.width(figure, 7.5) - 8, y=base, class_="s e m")
    yield svg.text(figure, x=x + face.INNER - _PAD, y=base, class_="s e")


def _tall_slot(slot: FaceSlot, x: float, y: float, high: float) -> Iterator[Markup]:
    middle = y + high / 2
    room = face.INNER - 2 * _PAD
    yield svg.text(metrics.fit(slot.device, room, 11, bold=True), x=x + _PAD + 2, y=middle - 1.5, class_="l b")
    figure = f"{slot.sku} · {figures.kilowatts(slot.kw)} · {figures.amount(slot.kg)} kg"
    yield svg.text(
        metrics.first_fit([figure + _air(slot), figure, slot.sku], room, 7.5),
        x=x + _PAD + 2,
        y=middle + 8.5,
        class_="s m",
    )
