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
    """Print the tests: those named by ``--tests``, else those that fit a node of ``--nodes``; with ``--all`` every test."""
    tests = list(_test_rows(args, burning))
    if args.format == "json":
        output.emit({"tests": tests, "cooldown": burning.cooldown, "at_once": burning.at_once})
        return ExitCode.PASS
    for test in tests:
        only = "; only if named" if test["optional"] else ""
        whom = f"{test['nodes']} {'node' if test['nodes'] == 1 else 'nodes'}" if test["nodes"] else "none of these"
        vendors = ", ".join(test["vendors"]) or "any vendor"
        print(f"{test['test']:<16} at most {test['seconds']:6.0f} s  {whom:>16}  {vendors}{only}")
    if not tests:
        print("No test fits these nodes; --all prints every one.")
    return ExitCode.PASS


def _test_rows(args: argparse.Namespace, burning: Burning) -> Iterator[dict[str, Any]]:
    from rackwright import collect
    from rackwright.collect import collector

    design = site.expand(site.load(args))
    library = collector.library(design.roots)
    counts = collect.count_fitting(design, site.nodes(args, design), group=bool(args.rounds))
    for name in burning.tests or counts:
        if counts[name] or args.all or burning.tests:
            collector_of_test = library[name]
            yield {
                "test": name,
                "seconds": collector_of_test.seconds,
                "nodes": counts[name],
                "vendors": list(collector_of_test.vendors),
                "optional": collector_of_test.optional,
            }
