"""Everything of a design that can be bought, counted once: what the bill prices and the spares are reckoned from."""

from __future__ import annotations

from dataclasses import replace

from rackwright.catalog import Catalog
from rackwright.design.bill import equipment, links, plant
from rackwright.design.bill.line import Line
from rackwright.model.design import Design


def inventory(design: Design, catalog: Catalog) -> list[Line]:
    """All lines: racks, servers, switches, what is inside servers, cables, transceivers, plant. Equal parts are one."""
    found: dict[tuple[tuple[str, float], str | None], Line] = {}
    for counter in (equipment.lines, links.lines, plant.lines):
        for line in counter(design, catalog):
            place = (line.key, line.included_in)
            known = found.get(place)
            found[place] = replace(known, quantity=known.quantity + line.quantity) if known else line
    return list(found.values())
