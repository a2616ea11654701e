"""``rackwright view SITE``: one page, without a server, to look into a site from its halls down to a port, and at what a loss takes."""

from __future__ import annotations

import argparse
import os
import sys
import webbrowser
from pathlib import Path

from rackwright.base.durable_file import replace_file
from rackwright.base.errors import ExitCode, OutsideError
from rackwright.cli import output, site


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, where to write, whether to open."""
    site.add_site(parser)
    parser.add_argument("--out", metavar="FILE", help="the page to write (default NAME.html)")
    parser.add_argument("--no-open", action="store_true", help="write the page, and open no browser")
    output.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Expand, compute every loss, write the page, and open it where a person has a screen."""
    from rackwright.flow import site_losses
    from rackwright.report import site_page

    design = site.expand(site.load(args, to_design=True))
    losses = site_losses.losses(design)
    page = site_page.render(design, losses)
    path = Path(args.out or f"{design.site.site}.html")
    try:
        replace_file(path, page)
    except OSError as error:
        raise OutsideError(f"{path} cannot be written: {error.strerror}; name another file with --out") from error
    if args.format == "json":
        output.emit({"site": design.site.site, "page": str(path), "bytes": len(page), "losses": len(losses)})
        return ExitCode.PASS
    output.print_lines([f"{path}  {len(page) / 1e6:,.1f} MB; {len(losses):,} losses can be tried"])
    if not args.no_open and _has_screen():
        webbrowser.open(path.resolve().as_uri())
    return ExitCode.PASS


def _has_screen() -> bool:
    """Whether a browser would have somewhere to open: a person at a terminal, and a display where the system has such."""
    display = sys.platform == "darwin" or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    return display and sys.stdout.isatty()
