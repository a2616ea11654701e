"""Rear of one device: power supplies with feed and circuit, switch ports, cables by fabric.

Ports are drawn at the rear, where servers have their adapters. The colour of a power supply
is its feed; its letters are its circuit.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from markupsafe import Markup

from rackwright.report.drawing_data.records import FaceSlot
from rackwright.report.drawings import face, metrics, svg
from rackwright.report.drawings.front import slot_title

PSU_HIGH = 10.0
PORT, GAP = 1.7, 0.5
"""Width of a port and of the gap to the next: the dashes of ``.used`` in ``drawings.css``."""
_PORT_ROWS = 2
_PAD = 5.0
_WIDEST = 100.0
"""More ports than fit this in one rack unit are counted in words."""
_ROOMY = 4
"""Rack units from which on there is room for a second line of words."""


def drawing(slot: FaceSlot, x: float, y: float) -> Markup:
    """The device with its upper left corner at (x, y)."""
    high = slot.rack_units * face.U
    cls = "gear" if slot.kind == "switch" else "server"
    parts = [
        svg.title(_summary(slot)),
        svg.element("rect", x=x, y=y + 0.5, width=face.INNER, height=high - 1, class_=cls),
    ]
    psus, width_taken = _psus(slot, x, y, high)
    room = face.INNER - width_taken - 2 * _PAD
    ports, ports_wide = _ports(slot, x + face.INNER - width_taken - _PAD, y, high)
    name_room = room - (ports_wide + 6 if slot.rack_units == 1 else 0)
    size = 7.5 if slot.rack_units == 1 else 9.0
    base = y + face.U - 3.6 if slot.rack_units == 1 else y + 14
    name = metrics.fit(slot.device, name_room, size, bold=True)
    parts.append(svg.text(name, x=x + _PAD, y=base, class_="b s" if slot.rack_units == 1 else "b"))
    return svg.element("g", *parts, *ports, *_cables(slot, x, y), *psus)


def _cables(slot: FaceSlot, x: float, y: float) -> Iterator[Markup]:
    """Number of cables plugged in by fabric, if there is room for the text."""
    if slot.rack_units < _ROOMY or slot.ports or not slot.cables:
        return
    words = "cables: " + ", ".join(f"{fabric} {number}" for fabric, number in slot.cables.items())
    for at, line in enumerate(metrics.wrap(words, face.INNER - 2 * _PAD, 7.5)[: slot.rack_units - 2]):
        yield svg.text(line, x=x + _PAD, y=y + 25 + at * 10, class_="s m")


def _summary(slot: FaceSlot) -> str:
    both = zip(slot.circuits, slot.phases, strict=True)
    supplies = [f"{circuit} ({phase})" if phase else circuit for circuit, phase in both]
    fed = ", ".join(f"PSU {number} on {supply}" for number, supply in enumerate(supplies, start=1))
    ports = f"; {slot.ports.count('1')} of {len(slot.ports)} ports in use" if slot.ports else ""
    cables = ", ".join(f"{fabric} {number}" for fabric, number in slot.cables.items())
    plugged = f"; cables: {cables}" if cables else ""
    return f"{slot_title(slot)}; {fed or 'fed by the busbar of the rack'}{ports}{plugged}"


def _psus(slot: FaceSlot, x: float, y: float, high: float) -> tuple[list[Markup], float]:
    """Power supplies at the right end, in as few columns as their height allows, and the width they take."""
    if not slot.circuits:
        return [], 0.0
    wide = max(metrics.width(circuit, 7.5, bold=True) for circuit in slot.circuits) + 5
    lines = max(1, min(int((high - 2) // (PSU_HIGH + 1)), -(-len(slot.circuits) // 6)))
    columns = -(-len(slot.circuits) // lines)
    wide = min(wide, (face.INNER * 0.7) / columns - 2)
    start = x + face.INNER - _PAD - columns * (wide + 2) + 2
    first = y + (1.5 if slot.rack_units == 1 else high - 3 - lines * (PSU_HIGH + 1))
    parts = []
    for at, (circuit, feed) in enumerate(zip(slot.circuits, slot.feeds, strict=True)):
        edge, top = start + at % columns * (wide + 2), first + at // columns * (PSU_HIGH + 1)
        parts.append(svg.element("rect", x=edge, y=top, width=wide, height=PSU_HIGH, class_=f"f{feed % 6}", rx=1))
        words = metrics.fit(circuit, wide - 1, 7.5, bold=True)
        if words:
            parts.append(svg.text(words, x=edge + wide / 2, y=top + 7.8, class_="s b c on"))
    return parts, columns * (wide + 2) + 4


def _ports(slot: FaceSlot, right: float, y: float, high: float) -> tuple[list[Markup], float]:
    """Two rows of ports, filled where a cable is plugged in, ending at `right`."""
    if not slot.ports:
        return [], 0.0
    per_row = -(-len(slot.ports) // _PORT_ROWS)
    wide = per_row * (PORT + GAP)
    if slot.rack_units == 1 and wide > _WIDEST:
        words = f"{slot.ports.count('1')} of {len(slot.ports)} ports"
        text = svg.text(words, x=right, y=y + face.U - 3.6, class_="s e m")
        return [text], metrics.width(words, 7.5)
    start = right - wide
    top = y + (3.2 if slot.rack_units == 1 else high / 2 - 3.5)
    runs: dict[str, list[str]] = {"1": [], "0": []}
    for row in range(_PORT_ROWS):
        at = 0
        for state, same in groupby(slot.ports[row::_PORT_ROWS]):
            count = len(list(same))
            x, middle = start + at * (PORT + GAP), top + row * 3.8 + 1.5
            runs[state].append(f"M{x:.1f} {middle:.1f}h{count * (PORT + GAP) - GAP:.1f}")
            at += count
    parts = [
        svg.element("path", d="".join(ports), class_=cls)
        for cls, ports in (("used", runs["1"]), ("idle", runs["0"]))
        if ports
    ]
    return parts, wide
