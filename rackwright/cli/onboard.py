"""``rackwright onboard SITE``: brings the nodes of a site to the declared software, and prints what came of each."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from rackwright.cli import output, recorded, site
from rackwright.errors import ExitCode

if TYPE_CHECKING:
    from rackwright.model.inventory import HostRecap, Recap


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, the nodes, and whether to change anything."""
    site.add_site(parser)
    site.add_nodes(parser)
    site.add_work(parser)
    parser.add_argument("--check", action="store_true", help="say what would change, and change nothing")
    parser.add_argument("--diff", action="store_true", help="show what changes in each file")
    output.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Load, expand, play, print; 1 when a host failed or did not answer."""
    from rackwright import pipeline  # ansible-runner takes time that a wrong call need not wait

    differences: list[tuple[str, list[str]]] = []
    keep = (lambda title, lines: differences.append((title, lines))) if args.diff else None
    with recorded.job(args, "onboard", check=args.check) as job:
        recap = pipeline.bring_to_bill(job, check=args.check, diff=keep)
    if args.format == "json":
        output.emit(recap.model_dump())
    else:
        _print(recap, differences)
    return ExitCode.PASS if recap.good else ExitCode.PROBLEMS


def _print(recap: Recap, differences: list[tuple[str, list[str]]]) -> None:
    console = Console(highlight=False)
    for title, lines in differences:
        print(title, *lines, sep="\n")
    console.print(_hosts(recap))
    console.print(_roles(recap))
    for name, host in recap.hosts.items():
        if host.first_failure:
            console.print(f"{name}: {host.first_failure}", style="red", markup=False, soft_wrap=True)


def _hosts(recap: Recap) -> Table:
    table = Table("host", "result", box=None, header_style="bold")
    for column in ("ok", "changed", "failed"):
        table.add_column(column, justify="right")
    for name, host in recap.hosts.items():
        table.add_row(name, _result(host), str(host.ok), str(host.changed), str(host.failed))
    return table


def _roles(recap: Recap) -> Table:
    table = Table("role", box=None, header_style="bold")
    table.add_column("seconds", justify="right")
    for role, seconds in recap.task_seconds.items():
        table.add_row(role, f"{seconds:.1f}")
    table.add_row("all, with connections", f"{recap.seconds:.1f}")
    return table


def _result(host: HostRecap) -> str:
    if host.unreachable:
        return "[red]unreachable[/]"
    if host.failed:
        return "[red]failed[/]"
    return "[yellow]changed[/]" if host.changed else "[green]unchanged[/]"
