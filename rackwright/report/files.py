"""Writes the files of the report: ``index.html``, ``report.pdf``, ``report.json``, ``junit.xml``.

Each file is written under a temporary name and then renamed, so a reader never sees half a report; the page comes last,
because it contains the hash of the JSON.
"""

from __future__ import annotations

from pathlib import Path

from rackwright.base.durable_file import replace_file
from rackwright.base.errors import OutsideError
from rackwright.report import data, junit, render
from rackwright.report.view import Report

PAGE = "index.html"


def render_files(report: Report) -> dict[str, bytes]:
    """The bytes of all four files by name, the page last; equal reports always give equal bytes."""
    from rackwright.report import pdf  # its library takes time to load that a reader of reports need not wait for

    text = data.to_json(report)
    digest = data.sha256(text)
    return {
        data.FILE: text.encode(),
        "junit.xml": junit.to_xml(report).encode(),
        "report.pdf": pdf.to_pdf(report, digest),
        PAGE: render.render_page(report, digest).encode(),
    }


def write(report: Report, folder: Path) -> Path:
    """Write all four files; returns the path of the page. Raises OutsideError if the folder cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in render_files(report).items():
            replace_file(folder / name, content)
    except OSError as error:
        raise OutsideError(
            f"the report cannot be written to {folder}: {error.strerror or error}; name another folder with --out"
        ) from error
    return folder / PAGE
