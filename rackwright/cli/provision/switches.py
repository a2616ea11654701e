"""``rackwright switches SITE``: compares what switches run with what the design says, and applies it with ``--apply``."""

from __future__ import annotations

import argparse
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from rackwright.base.errors import ExitCode
from rackwright.base.name_list import listed_names
from rackwright.cli import output, site, site_job

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rackwright.configure.bring import SwitchResult

MARGIN = "    "


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, the switches, and whether they are changed."""
    site.add_site(parser)
    parser.add_argument("--fabric", metavar="NAME", default="", help="switches of this fabric only")
    parser.add_argument("--switch", metavar="NAMES", default="", help="these switches only, with commas")
    parser.add_argument(
        "--machines",
        metavar="FILE",
        help="CSV file (node,serial,mac): a switch with another serial number is not touched",
    )
    parser.add_argument(
        "--apply", action="store_true",
        help="bring them to their configurations, a few at a time; each takes the change back by itself unless it is reached again (default: only compare)",
    )  # fmt: skip
    site.add_work(parser)
    output.add_format(parser)
    parser.set_defaults(nodes="")


def run(args: argparse.Namespace) -> int:
    """Expand, render, compare, apply where asked; 1 where a switch does not run its configuration."""
    from rackwright.cli.design import export
    from rackwright.export import ExportRequest
    from rackwright.flow import lossless_class, switch_changes

    chosen = listed_names(args.switch)
    with site_job.job(args, "switches", bmcs=False, apply=args.apply, fabric=args.fabric, switch=args.switch) as job:
        request = ExportRequest(args.fabric, lossless=lossless_class.of_site(job.design))
        if args.machines:
            request = replace(request, machines=export.listed_switches(job.design, args.machines))
        required = switch_changes.required_switches(job.design, request, chosen)
        results = switch_changes.run(job, required, apply=args.apply)
        folder = job.workspace.folder("switches") / job.run
    if args.format == "json":
        rows = [
            {name: value for name, value in asdict(result).items() if name not in ("before", "after")}
            for result in results
        ]
        output.emit({"site": job.design.site.site, "apply": args.apply, "stored": str(folder), "switches": rows})
    else:
        output.print_lines(lines(results, len(required), folder, applied=args.apply))
    return (
        ExitCode.PASS if len(results) == len(required) and all(result.well for result in results) else ExitCode.PROBLEMS
    )


def lines(results: Sequence[SwitchResult], required: int, folder: Path, *, applied: bool) -> Iterator[str]:
    """Every switch with its outcome, what goes and comes, and one line at the end."""
    for result in results:
        yield f"{result.name}: {result.outcome}{': ' if result.sentence else ''}{result.sentence}"
        yield from (f"{MARGIN}{line}" for line in result.lines)
        if result.left_alone:
            yield f"{MARGIN}not in the design, and left alone: {', '.join(result.left_alone)}"
    well = sum(result.well for result in results)
    unvisited = required - len(results)
    rest = (
        f"; {unvisited} not visited, because the wave before them failed: put that right, then run again"
        if unvisited
        else ""
    )
    step = "" if applied or well == required else "; apply with --apply"
    yield f"{well} of {required} switches run their configuration{rest}{step}; stored in {folder}"
