"""``rackwright draw SITE``: racks, floor, fabrics, power and cooling of a site as SVG, with a page of all drawings.

Naming a rack, fabric or hall draws only the drawings that show it.
"""

from __future__ import annotations

import argparse
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from rackwright.base.errors import ExitCode, UsageError
from rackwright.cli import output, site

if TYPE_CHECKING:
    from rackwright.model.design import Design
    from rackwright.report.sheets import DrawingSelection

WHAT = ("racks", "floor", "fabric", "power", "coolant")
DRAWN_FOR = {"rack": ("racks",), "fabric": ("fabric",), "hall": ("floor", "coolant")}
"""Kinds of drawings if an object is named and ``--what`` is not given."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, what to draw, where to write."""
    site.add_site(parser)
    parser.add_argument("--what", choices=[*WHAT, "all"], help="what to draw (default all)")
    parser.add_argument("--rack", metavar="R", help="only this rack, or racks that match a pattern ('train-r0*')")
    parser.add_argument("--fabric", metavar="F", help="only this fabric")
    parser.add_argument("--hall", metavar="H", help="only this hall")
    parser.add_argument("--out", metavar="DIR", help="folder to write to (default drawings/NAME)")
    output.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Expand, draw, write, and print the files."""
    loaded = site.load(args, to_design=True)
    design = site.expand(loaded)
    choice = _choice(args, design)
    from rackwright.report import gallery, sheets  # heavy; a wrong name is reported without them

    folder = Path(args.out) if args.out else Path("drawings") / design.site.site
    written = gallery.write_gallery(sheets.sheets(design, choice), folder, design.site.site)
    index = folder / gallery.INDEX
    if args.format == "json":
        files = [
            {"what": drawing.kind, "title": drawing.title, "file": str(folder / drawing.file)} for drawing in written
        ]
        output.emit({"site": design.site.site, "index": str(index), "drawings": files})
    else:
        for drawing in written:
            print(f"{folder / drawing.file}  {drawing.title}")
        print(f"{index}  all {len(written)} drawings")
    return ExitCode.PASS


def _choice(args: argparse.Namespace, design: Design) -> DrawingSelection:
    from rackwright.report.sheets import KINDS, DrawingSelection

    halls = [hall.name for hall in design.site.facility.halls]
    _check_name("rack", args.rack, list(design.racks["rack"]))
    _check_name("fabric", args.fabric, [fabric.name for fabric in design.site.fabrics])
    _check_name("hall", args.hall, halls)
    kinds: tuple[str, ...] = KINDS if args.what in (None, "all") else (args.what,)
    if args.what is None:
        kinds = (
            tuple(kind for name, kinds_shown in DRAWN_FOR.items() if getattr(args, name) for kind in kinds_shown)
            or KINDS
        )
    return DrawingSelection(kinds, args.rack, args.fabric, args.hall)


def _check_name(noun: str, value: str | None, names: list[str]) -> None:
    """Raises UsageError if no object has this name."""
    if value is None or any(fnmatchcase(name, value) if noun == "rack" else name == value for name in names):
        return
    from rackwright.spec.fields import nearest_word

    guess = nearest_word(value, names)
    hint = f"did you mean {guess}?" if guess else f"there is {', '.join(names[:12])}{' ...' if len(names) > 12 else ''}"
    raise UsageError(f"--{noun} {value}: the site has no such {noun}; {hint}")
