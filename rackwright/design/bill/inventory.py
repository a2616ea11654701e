"""Every part of a design that can be bought, counted once: the basis of the bill and of the spares."""

from __future__ import annotations

from dataclasses import replace

from rackwright.catalog import Catalog
from rackwright.design.bill import equipment, links, plant
from rackwright.design.bill.line import BillLine
from rackwright.model.design import Design


def inventory(design: Design, catalog: Catalog) -> list[BillLine]:
    """All lines: racks, servers, switches, parts inside servers, cables, transceivers, plant. Equal parts are merged."""
    lines: dict[tuple[tuple[str, float], str | None], BillLine] = {}
    for counter in (equipment.lines, links.lines, plant.lines):
        for line in counter(design, catalog):
            place = (line.key, line.included_in)
            listed = lines.get(place)
            lines[place] = replace(listed, quantity=listed.quantity + line.quantity) if listed else line
    return list(lines.values())
