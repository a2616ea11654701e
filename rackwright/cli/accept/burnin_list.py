"""``rackwright burnin SITE --list``: the tests that fit the nodes, and how long each may take."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rackwright.base.errors import ExitCode
from rackwright.cli import output, site

if TYPE_CHECKING:
    from rackwright.collect import Burning


def show(args: argparse.Namespace, burning: Burning) -> int:
    """Print the tests: those that are named, else those that fit a node of ``--nodes``; with ``--all`` every one."""
    told = list(_told(args, burning))
    if args.format == "json":
        output.emit({"tests": told, "cooldown": burning.cooldown, "at_once": burning.at_once})
        return ExitCode.PASS
    for one in told:
        only = "; only when it is named" if one["optional"] else ""
        whom = f"{one['nodes']} {'node' if one['nodes'] == 1 else 'nodes'}" if one["nodes"] else "no node of these"
        vendors = ", ".join(one["vendors"]) or "any vendor"
        print(f"{one['test']:<16} at most {one['seconds']:6.0f} s  {whom:>16}  {vendors}{only}")
    if not told:
        print("No test fits these nodes; --all prints every one.")
    return ExitCode.PASS


def _told(args: argparse.Namespace, burning: Burning) -> Iterator[dict[str, Any]]:
    from rackwright import collect
    from rackwright.collect import collector

    made = site.expand(site.load(args))
    library = collector.library()
    counts = collect.fitting(made, site.nodes(args, made), group=bool(args.rounds))
    for name in burning.tests or counts:
        if counts[name] or args.all or burning.tests:
            one = library[name]
            yield {
                "test": name,
                "seconds": one.seconds,
                "nodes": counts[name],
                "vendors": list(one.vendors),
                "optional": one.optional,
            }
