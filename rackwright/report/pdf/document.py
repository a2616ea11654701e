"""Puts the PDF together."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate

from rackwright.report import data
from rackwright.report.pdf import nodes, parts
from rackwright.report.pdf.style import SOFT, WARN, plain
from rackwright.report.view import Report

MARGIN = 40.0
REHEARSAL = "REHEARSAL on a digital twin: no hardware was tested and nothing is handed over"


def to_pdf(report: Report, digest: str | None = None) -> bytes:
    """The whole document; `digest` is that of the report's JSON, which takes long to write once more."""
    out = BytesIO()
    width, height = A4

    def frame(canvas: Canvas, document: Any) -> None:
        canvas.setFont("Helvetica", 7)
        canvas.setFillColor(SOFT)
        canvas.drawString(MARGIN, 22, plain(f"{report.run.site}, run {report.run.id}"))
        canvas.drawRightString(width - MARGIN, 22, f"page {document.page}")
        if report.rehearsal:
            canvas.setFillColor(WARN)
            canvas.setFont("Helvetica-Bold", 8)
            canvas.drawCentredString(width / 2, height - 24, REHEARSAL)

    document = BaseDocTemplate(
        out,
        pagesize=A4,
        title=plain(f"Handover report, {report.run.site}"),
        author="rackwright",
        subject=plain(report.result.headline),
        creator=f"rackwright {report.run.version}",
        invariant=1,
    )
    body = Frame(MARGIN, 34, width - 2 * MARGIN, height - 34 - MARGIN, id="body")
    document.addPageTemplates([PageTemplate(id="page", frames=[body], onPage=frame)])
    document.build(
        [
            *parts.cover(report, digest or data.digest(report)),
            *parts.gates(report),
            *parts.refused(report),
            *parts.isolation(report),
            *parts.platform(report),
            *parts.distributions(report),
            *parts.method(report),
            *parts.signatures(report),
            *nodes.passports(report.nodes),
        ]
    )
    return out.getvalue()
