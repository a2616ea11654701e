"""The sheet of one rack: front and rear side by side, with its power, heat and weight.

If the rack represents others of the same kind, they are named.
"""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup

from rackwright.report.drawing_data.records import Face
from rackwright.report.drawings import face, figures, front, rear, shelf, svg
from rackwright.report.drawings.sheet import LegendKey, SheetFrame, frame, swatch

GAP = 30.0
TOP = 20.0


def drawing(rack: Face, feeds: list[str], site: str, remarks: Mapping[str, str] | None = None) -> Markup:
    """Both sides of `rack`; `remarks`: device -> the problem with its slot."""
    wrong = {slot.device: remarks[slot.device] for slot in rack.slots if remarks and slot.device in remarks}
    start = face.SCALE + 4
    middle = start + face.INNER + GAP
    high = TOP + rack.rack_units * face.U + 6
    sheet = SheetFrame(
        ident=f"faces-{rack.rack}",
        title=f"Rack {rack.rack}",
        facts=_facts(rack),
        body=[*front.side(rack, start, TOP, wrong), *shelf.drawings(rack, start, TOP), *rear.side(rack, middle, TOP)],
        width=middle + face.INNER + rear.width(rack),
        height=high,
        says=_summary(rack) + "".join(f" {device}: {text}." for device, text in wrong.items()),
        note=_note(rack),
        keys=_keys(rack, feeds) + ([LegendKey(swatch("heavy"), "not as declared")] if wrong else []),
    )
    return frame(sheet, site)


def _facts(rack: Face) -> list[str]:
    used = sum(slot.rack_units for slot in rack.slots) + sum(shelf.rack_units for shelf in rack.shelves)
    limit = f", rack carries {rack.limit_kg:,.0f} kg" if rack.limit_kg else ""
    heat = f", {figures.amount(rack.liquid_kw)} to liquid" if rack.liquid_kw else ""
    return [
        f"{figures.kilowatts(rack.kw)} peak{heat}",
        f"{rack.kg:,.0f} kg of equipment{limit}",
        f"{used} of {rack.rack_units} U used",
        *([f"busbar {rack.busbar_amps:,} A"] if rack.busbar_amps else []),
        rack.sku,
        rack.place,
    ]


def _summary(rack: Face) -> str:
    devices = "; ".join(f"{front.units(slot)} {slot.device}" for slot in sorted(rack.slots, key=lambda s: -s.unit))
    return f"{', '.join(_facts(rack))}. From the top: {devices or 'empty'}."


def _note(rack: Face) -> str:
    note = "U1 is at the bottom; the rear is seen from behind. Ports are drawn at the rear, where servers have their adapters."
    if rack.leak_detector:
        note += " A leak detector with isolation valve sits at the foot of the manifold."
    if len(rack.alike) > 1:
        note += f" Drawn for {figures.count(len(rack.alike), 'equal rack')}: {_names(rack.alike)}."
    return note


def _names(names: list[str]) -> str:
    return ", ".join(names) if len(names) <= 8 else f"{', '.join(names[:4])} … {names[-1]}"


def _keys(rack: Face, feeds: list[str]) -> list[LegendKey]:
    used = sorted({strip.feed for strip in rack.strips})
    keys = [LegendKey(swatch(f"f{at % 6}"), f"feed {feeds[at]}" if at < len(feeds) else "feed") for at in used]
    kinds = {slot.kind for slot in rack.slots}
    keys += [LegendKey(swatch(cls), kind) for kind, cls in (("server", "server"), ("switch", "gear")) if kind in kinds]
    if any(slot.ports for slot in rack.slots):
        ports = svg.element("path", d="M0 6h7.7", class_="used") + svg.element("path", d="M8.8 6h7.7", class_="idle")
        keys.append(LegendKey(ports, "port with a cable, free port"))
    if rack.busbar_amps:
        keys.append(LegendKey(swatch("full"), "busbar"))
    if rack.liquid_kw:
        keys += [LegendKey(swatch("coldfill"), "coolant supply"), LegendKey(swatch("hotfill"), "coolant return")]
    return keys
