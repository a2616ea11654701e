"""Power shelves of a rack, seen from either side.

The colour of a shelf is that of the feed it hangs on.
"""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from rackwright.report.drawing_data.records import Face
from rackwright.report.drawings import face, figures, metrics, svg


def drawings(rack: Face, x: float, y: float) -> Iterator[Markup]:
    """The power shelves in their units, in the colour of their feed, with their circuits; (x, y) is the rack's inside."""
    for shelf in rack.shelves:
        top, high = y + face.top_of(shelf.unit, shelf.rack_units, rack.rack_units), shelf.rack_units * face.U
        circuits = ", ".join(shelf.circuits)
        words = metrics.first_fit([f"{shelf.name} {circuits}", circuits, shelf.name], face.INNER - 8, 7.5, bold=True)
        feed = shelf.feeds[0] % 6 if shelf.feeds else 0
        yield svg.element(
            "g",
            svg.title(f"{shelf.name}: {figures.kilowatts(shelf.kw)} of rectifiers on {circuits}"),
            svg.element("rect", x=x, y=top + 0.5, width=face.INNER, height=high - 1, class_=f"f{feed}"),
            svg.text(words, x=x + face.INNER / 2, y=top + high - 3.6, class_="s b c on"),
        )
