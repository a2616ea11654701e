"""Writes drawings into a folder: one SVG file each, and an ``index.html`` of all.

Each file is self-contained: it carries its style, light and dark, and loads nothing. Files are written under a temporary
name and then renamed; the index comes last, because it names the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from rackwright.base import content
from rackwright.base.durable_file import replace_file
from rackwright.base.errors import OutsideError
from rackwright.report.sheets import KINDS, DrawingSheet
from rackwright.report.style_attributes import guarded, with_attributes

INDEX = "index.html"
HEADINGS = {
    "floor": "Floor",
    "racks": "Racks, front and rear",
    "fabric": "Fabrics",
    "power": "Power",
    "coolant": "Cooling",
}


@dataclass(frozen=True)
class DrawingFile:
    """One file of the gallery."""

    kind: str
    title: str
    file: str
    width: str
    height: str


def write_gallery(sheets: Iterable[DrawingSheet], folder: Path, site: str) -> list[DrawingFile]:
    """Write every drawing and the index into `folder`. Raises OutsideError if it cannot be written."""
    style = stylesheet()
    written: list[DrawingFile] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for sheet in sheets:
            entry_of_sheet = _entry(sheet, {entry.file for entry in written})
            replace_file(folder / entry_of_sheet.file, standalone(sheet.svg, style))
            written.append(entry_of_sheet)
        replace_file(folder / INDEX, _index(written, site, style))
    except OSError as error:
        raise OutsideError(
            f"the drawings cannot be written to {folder}: {error.strerror or error}; name another folder with --out"
        ) from error
    return written


def stylesheet() -> Markup:
    """The style of self-contained drawings."""
    folder = content.folder("templates", "report")
    text = "".join((folder / name).read_text(encoding="utf-8") for name in ("drawings.css", "dark.css"))
    return Markup(text)  # noqa: S704 - our own files


def standalone(svg: Markup, style: Markup) -> str:
    """`svg` as a self-contained file: its style as attributes, and as a style sheet for browsers."""
    head, mark, rest = with_attributes(svg, style).partition(">")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{head}{mark}<style>\n{guarded(style)}</style>{rest}\n'


def _entry(sheet: DrawingSheet, files: set[str]) -> DrawingFile:
    kind = {"racks": "rack"}.get(sheet.kind, sheet.kind)
    name = re.sub(r"[^A-Za-z0-9._-]+", "_", f"{kind}-{sheet.name}" if sheet.name else kind)
    file, number = f"{name}.svg", 2
    while file.lower() in {file_name.lower() for file_name in files}:
        file, number = f"{name}-{number}.svg", number + 1
    size = re.search(r' width="([\d.]+)" height="([\d.]+)"', sheet.svg.partition(">")[0])
    return DrawingFile(sheet.kind, sheet.title, file, size[1] if size else "", size[2] if size else "")


def _index(written: list[DrawingFile], site: str, style: Markup) -> str:
    environment = Environment(
        loader=FileSystemLoader(content.folder("templates", "report")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    groups = [(kind, HEADINGS[kind], [drawing for drawing in written if drawing.kind == kind]) for kind in KINDS]
    template = environment.get_template("gallery.html.j2")
    return template.render(site=site, style=style, groups=[group for group in groups if group[2]])
