"""A sheet of cable labels as one HTML page: printed at 100 %, it fits sheets of self-laminating labels.

Jinja escapes all external text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from rackwright.base import content
from rackwright.catalog.cabling_practice import LabelSheet

Label = Mapping[str, Any]
"""``order``, ``end``, ``cable``, ``near``, ``far``, ``note``."""

ADVANCE = 0.602
"""Width of a character of the monospaced fonts in the style sheet, as a share of its size (DejaVu Sans Mono: 1233/2048)."""
POINTS = 72 / 25.4
"""Points in a millimetre."""
LINES = 3
PADDING_MM = 3.0
ENDS_SHARE = 0.62
"""Share of its line that the largest text takes; the rest is space between lines."""
NOTE_SHARE = 0.48


def sheet(site: str, labels: Sequence[Label], stock: LabelSheet) -> str:
    """The pages of `labels` on `stock`, in the given order, row by row."""
    environment = Environment(
        loader=FileSystemLoader(content.folder("templates", "cables")), autoescape=True, undefined=StrictUndefined
    )
    pages = [[_sized_label(label, stock) for label in page] for page in _pages(labels, stock.columns * stock.rows)]
    return environment.get_template("labels.html.j2").render(
        site=site, pages=pages, stock=stock, count=len(labels), padding=PADDING_MM
    )


def _pages(labels: Sequence[Label], size: int) -> Iterator[list[Label]]:
    remaining = iter(labels)
    while page := list(islice(remaining, size)):
        yield page


def _sized_label(label: Label, stock: LabelSheet) -> dict[str, Any]:
    """The label with the font size (points) of each line: as large as the strip allows, smaller for long text."""
    room = stock.label_width_mm - 2 * PADDING_MM
    line = stock.print_height_mm / LINES * POINTS
    ends = max(len(label["near"]), len(label["far"]) + 2)
    return {
        **label,
        "ends_pt": round(min(line * ENDS_SHARE, room / (ends * ADVANCE) * POINTS), 2),
        "note_pt": round(min(line * NOTE_SHARE, room / (len(label["note"]) * ADVANCE) * POINTS), 2),
    }
