"""``rackwright draw SITE``: racks, floor, fabrics, power and cooling of a site as SVG, with a page that shows them all.

Naming a rack, fabric or hall draws what shows it.
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
    from rackwright.report.sheets import Wanted

WHAT = ("racks", "floor", "fabric", "power", "coolant")
SHOWN_BY = {"rack": ("racks",), "fabric": ("fabric",), "hall": ("floor", "coolant")}
"""What is drawn when a thing is named and ``--what`` is not given."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, what to draw, where to write."""
    site.add_site(parser)
    parser.add_argument("--what", choices=[*WHAT, "all"], help="what to draw (default all)")
    parser.add_argument("--rack", metavar="R", help="only this rack, or those of a pattern ('train-r0*')")
    parser.add_argument("--fabric", metavar="F", help="only this fabric")
    parser.add_argument("--hall", metavar="H", help="only this hall")
    parser.add_argument("--out", metavar="DIR", help="folder to write to (default drawings/NAME)")
    output.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Expand, draw, write, and say what was written."""
    loaded = site.load(args)
    design = site.expand(loaded)
    wanted = _wanted(args, design)
    from rackwright.report import gallery, sheets  # heavy; a wrong name is told without them

    folder = Path(args.out) if args.out else Path("drawings") / design.site.site
    written = gallery.write(sheets.sheets(design, wanted), folder, design.site.site)
    index = folder / gallery.INDEX
    if args.format == "json":
        files = [{"what": one.kind, "title": one.title, "file": str(folder / one.file)} for one in written]
        output.emit({"site": design.site.site, "index": str(index), "drawings": files})
    else:
        for one in written:
            print(f"{folder / one.file}  {one.title}")
        print(f"{index}  all {len(written)} drawings")
    return ExitCode.PASS


def _wanted(args: argparse.Namespace, design: Design) -> Wanted:
    from rackwright.report.sheets import KINDS, Wanted

    halls = [hall.name for hall in design.site.facility.halls]
    _known("rack", args.rack, list(design.racks["rack"]))
    _known("fabric", args.fabric, [fabric.name for fabric in design.site.fabrics])
    _known("hall", args.hall, halls)
    kinds: tuple[str, ...] = KINDS if args.what in (None, "all") else (args.what,)
    if args.what is None:
        kinds = tuple(kind for name, shown in SHOWN_BY.items() if getattr(args, name) for kind in shown) or KINDS
    return Wanted(kinds, args.rack, args.fabric, args.hall)


def _known(noun: str, wanted: str | None, names: list[str]) -> None:
    """UsageError when nothing is called `wanted`."""
    if wanted is None or any(fnmatchcase(name, wanted) if noun == "rack" else name == wanted for name in names):
        return
    from rackwright.spec.fields import nearest

    guess = nearest(wanted, names)
    hint = f"did you mean {guess}?" if guess else f"there is {', '.join(names[:12])}{' ...' if len(names) > 12 else ''}"
    raise UsageError(f"--{noun} {wanted}: the site has no such {noun}; {hint}")
