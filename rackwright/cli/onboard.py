"""``rackwright onboard SITE``: brings the nodes of a site to the declared software, and prints what came of each."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from rackwright.cli import access, output, site
from rackwright.cli.progress import StepProgress
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
    loaded = site.load(args)
    way_in = access.from_site(loaded.site, near=loaded.path)
    design = site.expand(loaded)
    nodes = site.nodes(args, design)
    workspace = site.claimed(args, loaded.site)
    from rackwright import onboard  # ansible-runner takes time that a wrong call need not wait

    inventory = onboard.inventory(design, nodes, way_in, onboard.munge_key(workspace))
    with StepProgress(["onboard"], quiet=args.format == "json") as progress:
        progress.start("onboard")
        shown = Shown(progress)
        recap = onboard.run(inventory, workspace, shown, check=args.check, diff=args.diff)
        progress.end("onboard", "done" if recap.good else "failed", _sentence(recap, check=args.check))
    if args.format == "json":
        output.emit(recap.model_dump())
    else:
        _print(recap, shown.differences)
    return ExitCode.PASS if recap.good else ExitCode.PROBLEMS


class Shown:
    """Events of the run as they are shown: one step of the bar per finished task of a host."""

    def __init__(self, progress: StepProgress) -> None:
        self._progress = progress
        self.differences: list[tuple[str, list[str]]] = []

    def __call__(self, kind: str, data: dict[str, Any]) -> None:
        """Show one event."""
        if kind == "onboard.diff":
            self.differences.append((f"{data['host']}: {data['task']}", data["diff"]))
        if kind != "onboard.task":
            return
        self._progress.advance(f"{data['host']} {data['role']}: {data['task']}")
        if data["status"] in ("failed", "unreachable"):
            self._progress.note(f"{data['host']} {data['status']}: {data['task']}")


def _sentence(recap: Recap, *, check: bool) -> str:
    changed = sum(1 for host in recap.hosts.values() if host.changed)
    if check:
        return f"{changed} of {len(recap.hosts)} hosts would change"
    bad = [name for name, host in recap.hosts.items() if host.failed or host.unreachable]
    done = f"{len(recap.hosts) - len(bad)} of {len(recap.hosts)} hosts are as declared, {changed} changed"
    return f"{done}; not {', '.join(bad)}" if bad else done


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
