"""What many tests compute alike is computed once per worker: the designs of the same few sites, and how equal reports look."""

from __future__ import annotations

import pytest

from rackwright import design
from rackwright.catalog import Catalog
from rackwright.model.design import Design
from rackwright.model.site import Site
from rackwright.report import pdf, render
from rackwright.report.view import Report

DESIGNS: list[tuple[Site, Catalog, Design]] = []
PDFS: dict[str | None, bytes] = {}
PAGES: dict[str | None, str] = {}


@pytest.fixture(autouse=True)
def expand_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A design is frozen, and computing it takes a tenth of a second; tests/unit/design looks at what is computed."""
    compute = design.expand

    def expand(site: Site, catalog: Catalog) -> Design:
        for expanded, parts, computed in DESIGNS:
            if expanded == site and parts == catalog:
                return computed
        DESIGNS.append((site, catalog, compute(site, catalog)))
        return DESIGNS[-1][2]

    monkeypatch.setattr(design, "expand", expand)


def draw_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports with one digest look alike: tests/unit/report looks at how. A third of what `attest` costs."""
    to_pdf, render_page = pdf.to_pdf, render.render_page

    def pdf_once(report: Report, digest: str | None = None) -> bytes:
        if digest not in PDFS:
            PDFS[digest] = to_pdf(report, digest)
        return PDFS[digest]

    def page_once(report: Report, digest: str | None = None) -> str:
        if digest not in PAGES:
            PAGES[digest] = render_page(report, digest)
        return PAGES[digest]

    monkeypatch.setattr(pdf, "to_pdf", pdf_once)
    monkeypatch.setattr(render, "render_page", page_once)
