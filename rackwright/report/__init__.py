"""The last stage: everything that was found, as one page that can be signed, and as PDF, JSON and JUnit beside it.

    handover -> build.report -> view.Report -> render.page, pdf.to_pdf, data.to_json, junit.to_xml -> folder

`write` does it all; `data.load` reads a written report back, and `files.write` makes the same pages of it again.
"""

from __future__ import annotations

from pathlib import Path

from rackwright.model.handover import Handover
from rackwright.report import build, checktext, files


def write(handover: Handover, folder: Path) -> Path:
    """Write the report of `handover` into `folder` and return the path of the HTML page."""
    return files.write(build.report(handover, checktext.read), folder)
