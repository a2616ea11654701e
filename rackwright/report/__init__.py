"""The last stage: writes the findings as one page that can be signed, and as PDF, JSON and JUnit beside it.

    handover -> build.build_report -> view.Report -> render.render_page, pdf.to_pdf, data.to_json, junit.to_xml -> folder

`write_report` does it all; `data.load_report` reads a written report, and `files.write` renders the same pages from it again.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from rackwright.model.handover import Handover
from rackwright.report import build, checktext, files
from rackwright.report.view import Report


def render_report(handover: Handover) -> dict[str, bytes]:
    """The files of the report of `handover`, by name."""
    return files.render_files(_report(handover))


def write_report(handover: Handover, folder: Path) -> Path:
    """Write the report of `handover` into `folder`; returns the path of the HTML page."""
    return files.write(_report(handover), folder)


def _report(handover: Handover) -> Report:
    return build.build_report(handover, partial(checktext.read_check_text, roots=handover.design.roots))
