"""Fonts, colours and tables of the PDF.

The fonts are the fourteen that every PDF reader has; they have Latin-1 letters only. Usual typographic characters are spelled in Latin-1; other
letters become a question mark.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape

from reportlab.lib.colors import HexColor
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Flowable, Paragraph, Table, TableStyle

from rackwright.base.terminal_text import escape_controls
from rackwright.model.verdict import Outcome

INK, SOFT, LINE, FAINT = HexColor("#1b2127"), HexColor("#56606a"), HexColor("#c8ced4"), HexColor("#e8ebee")
GOOD, BAD, WARN, OPEN, NAVY = (HexColor(code) for code in ("#1f6b4a", "#9c2a1c", "#7a5600", "#4d4a7a", "#1d3b5c"))
COLOURS = {
    Outcome.PASS: GOOD,
    Outcome.DEGRADED: WARN,
    Outcome.FAIL: BAD,
    Outcome.INCONCLUSIVE: OPEN,
    Outcome.NOT_RUN: SOFT,
}
SPELLED = str.maketrans(
    {"→": "->", "…": "...", "≥": ">=", "≤": "<=", "–": "-", "—": "-", "✓": "+", "✕": "x", "·": "-", "µ": "u"}
)

BODY = ParagraphStyle("body", fontName="Helvetica", fontSize=9, leading=12, textColor=INK)
SMALL = ParagraphStyle("small", parent=BODY, fontSize=7.5, leading=9.5)
QUIET = ParagraphStyle("quiet", parent=SMALL, textColor=SOFT)
TITLE = ParagraphStyle("title", parent=BODY, fontName="Helvetica-Bold", fontSize=22, leading=26, spaceAfter=2)
LEAD = ParagraphStyle(
    "lead", parent=BODY, fontName="Helvetica-Bold", fontSize=15, leading=19, spaceBefore=8, spaceAfter=6
)
HEADING = ParagraphStyle(
    "heading",
    parent=BODY,
    fontName="Helvetica-Bold",
    fontSize=13,
    leading=16,
    textColor=NAVY,
    spaceBefore=14,
    spaceAfter=5,
)
LESSER = ParagraphStyle(
    "lesser", parent=BODY, fontName="Helvetica-Bold", fontSize=10, leading=13, spaceBefore=8, spaceAfter=3
)


def plain(text: str) -> str:
    """`text` with letters that the fonts have."""
    return escape_controls(text).translate(SPELLED).encode("latin-1", "replace").decode("latin-1")


class Words(Paragraph):
    """A paragraph whose lines are broken once per width: a table requests the height of every cell three times."""

    _wrapped: tuple[float, tuple[float, float]] | None = None
    """Width, and the width and height that the lines then take, in points."""

    def wrap(self, available_width: float, available_height: float) -> tuple[float, float]:
        """Width and height of the text in `available_width`, in points."""
        if (
            self._wrapped is None or self._wrapped[0] != available_width or not hasattr(self, "blPara")
        ):  # `split` drops it
            self._wrapped = available_width, super().wrap(available_width, available_height)
        return self._wrapped[1]


def words(text: str, style: ParagraphStyle = BODY) -> Paragraph:
    """A paragraph; nothing in `text` is markup."""
    return Words(escape(plain(text)), style)


def outcome(value: Outcome) -> Paragraph:
    """An outcome in its colour."""
    name = value.value.replace("_", " ")
    return Words(escape(name), ParagraphStyle(f"outcome-{value}", parent=SMALL, textColor=COLOURS[value]))


def table(head: Sequence[str], rows: Sequence[Sequence[str | Flowable]], widths: Sequence[float]) -> Table:
    """A table whose head is repeated on every page; widths are in points. A row that is longer than a page continues on the next."""
    cells: list[list[Flowable]] = [[words(cell, QUIET) for cell in head]] if head else []
    cells += [[words(cell, SMALL) if isinstance(cell, str) else cell for cell in row] for row in rows]
    style = TableStyle(
        [
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("LEFTPADDING", (0, 0), (-1, -1), 0),
            ("RIGHTPADDING", (0, 0), (-1, -1), 6),
            ("TOPPADDING", (0, 0), (-1, -1), 2),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
            ("LINEBELOW", (0, 0), (-1, -1), 0.4, FAINT),
        ]
    )
    if head:
        style.add("LINEBELOW", (0, 0), (-1, 0), 0.8, LINE)
    repeated = 1 if head else 0
    return Table(cells, colWidths=list(widths), repeatRows=repeated, splitInRow=1, style=style, hAlign="LEFT")
