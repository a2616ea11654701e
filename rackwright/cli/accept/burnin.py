"""``rackwright burnin SITE``: runs load tests on nodes that take no jobs, one after the other, and stores the results.

Exits 1 if a node was left alone or a test failed to run. ``rackwright judge`` interprets the results.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from rackwright.base.errors import ExitCode, OutsideError, UsageError
from rackwright.base.name_list import listed_names
from rackwright.cli import output, site, site_job
from rackwright.cli.accept import burnin_list
from rackwright.cli.accept import collect as collected

if TYPE_CHECKING:
    from rackwright.collect import Burning
    from rackwright.collect.collector import Collectors
    from rackwright.flow.load_tests import GroupRequest
    from rackwright.judge import LimitTable


SINGLE, SEVERAL = ("ssh", "kubernetes"), ("slurm", "mpi", "kubernetes")
"""What starts tests of single nodes, and of several together; the first is the default."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, the nodes, the tests, and how many nodes at once."""
    site.add_site(parser)
    site.add_nodes(parser)
    site.add_work(parser)
    parser.add_argument(
        "--tests",
        metavar="ID,...",
        default="",
        help="tests, separated by commas (default: all but the optional ones; see --list)",
    )
    parser.add_argument(
        "--list", action="store_true", help="print the tests of these nodes and their time limits, do nothing"
    )
    parser.add_argument("--all", action="store_true", help="with --list: also tests of hardware that the nodes lack")
    parser.add_argument("--cooldown", metavar="SECONDS", type=float, help="pause between two tests of a node")
    parser.add_argument("--at-once", metavar="N", type=int, help="nodes under load at the same time")
    parser.add_argument(
        "--unscheduled", action="store_true", help="the nodes take no jobs yet: do not query the scheduler"
    )
    ways = "how tests are started: ssh or kubernetes for single nodes (default ssh), slurm, mpi or kubernetes for several (default slurm)"
    parser.add_argument("--via", choices=[*sorted({*SINGLE, *SEVERAL})], help=ways)
    collected.add_pods(parser)
    groups = parser.add_argument_group("tests over several nodes")
    groups.add_argument(
        "--rounds", metavar="FILE", help="groups of nodes that are tested together, from `rackwright isolate --out`"
    )
    groups.add_argument(
        "--collective", metavar="NAME", default="all_reduce", help="collective operation (default all_reduce)"
    )
    groups.add_argument("--shared", metavar="DIR", default="", help="folder on the shared file system, for its tests")
    output.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Check which nodes are free, load them, store and print the results."""
    from rackwright import collect, judge
    from rackwright.flow import load_tests, pipeline  # heavy; --help does not need them

    roots = site.load(args).catalog.roots
    burning = _burning(args, judge.load_limits(roots=roots), collect.library(roots))
    via = load_tests.Reach(_launcher_name(args), args.image, args.namespace)
    if args.list:
        return burnin_list.show(args, burning)
    if args.all:
        raise UsageError("--all goes with --list and selects the tests to print; --tests selects the tests to run")
    with site_job.job(args, "burnin", tests=args.tests, rounds=args.rounds) as job:
        if args.rounds:
            request = _group_request(args, burning, [node.name for node in job.design.nodes()])
            result = pipeline.run_group_tests(job, request, via, unscheduled=args.unscheduled)
        else:
            result = pipeline.burn_in(job, burning, via, unscheduled=args.unscheduled)
    store = job.evidence_store()
    run_id = collect.asked_by(store, job.run)
    if args.format == "json":
        path = str(store.path(run_id)) if run_id else None
        nodes = collected.plain(result.evidence)
        output.emit({"run": run_id, "path": path, "nodes": nodes, "left_alone": dict(result.refused)})
    else:
        collected.show(result.evidence)
        for node, why in result.refused.items():
            print(f"{node}  left alone: {why}")
        print(f"run {run_id}: {store.path(run_id)}" if run_id else "Nothing was put under load.")
    good = (
        bool(result.evidence)
        and not result.refused
        and not any(evidence.errors for evidence in result.evidence.values())
    )
    return ExitCode.PASS if good else ExitCode.PROBLEMS


def _launcher_name(args: argparse.Namespace) -> str:
    """The launcher of the tests. Raises UsageError if it cannot start them."""
    allowed = SEVERAL if args.rounds else SINGLE
    chosen: str = args.via or allowed[0]
    if chosen not in allowed:
        what = "tests over several nodes" if args.rounds else "tests of single nodes (without --rounds)"
        raise UsageError(f"--via {chosen} does not start {what}: name one of {', '.join(allowed)}")
    return chosen


def _burning(args: argparse.Namespace, limits: LimitTable, library: Collectors) -> Burning:
    """The settings from the arguments; defaults come from the policy."""
    from rackwright import collect

    names = collect.burnin_tests(library, group=bool(args.rounds))
    tests = tuple(dict.fromkeys(listed_names(args.tests)))
    unknown = [name for name in tests if name not in names]
    if unknown:
        raise UsageError(
            f"--tests {', '.join(unknown)}: {_why_unknown(args, unknown, library)}; tests are {', '.join(names)}"
        )
    cooldown = args.cooldown if args.cooldown is not None else _policy(limits, "burnin.cooldown")
    at_once = args.at_once if args.at_once is not None else int(_policy(limits, "burnin.nodes"))
    if cooldown < 0 or at_once < 1:
        raise UsageError("--cooldown is at least 0 and --at-once at least 1")
    return collect.Burning(cooldown=cooldown, at_once=at_once, tests=tests)


def _why_unknown(args: argparse.Namespace, unknown: list[str], library: Collectors) -> str:
    from rackwright import collect

    if not set(unknown) <= set(collect.burnin_tests(library, group=not args.rounds)):
        return "there is no such test"
    of = "single nodes, and goes without --rounds" if args.rounds else "several nodes, and needs --rounds FILE"
    return f"this is a test of {of}"


def _group_request(args: argparse.Namespace, burning: Burning, nodes: list[str]) -> GroupRequest:
    """The rounds in the file, and the tests to run in them."""
    from rackwright.collect import rounds_file
    from rackwright.flow.load_tests import GroupRequest

    if not burning.tests:
        raise UsageError(
            "--rounds needs --tests: name the tests to run on the groups (--rounds FILE --list prints them)"
        )
    path = Path(args.rounds)
    try:
        rounds = rounds_file.parse_rounds(path.read_text(encoding="utf-8"), str(path), nodes)
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"--rounds {path}: cannot be read ({error}); write it with `rackwright isolate --out`"
        ) from error
    words = {"collective": args.collective, **({"shared": args.shared} if args.shared else {})}
    return GroupRequest(burning.tests, rounds, burning.at_once, words)


def _policy(limits: LimitTable, metric: str) -> float:
    row = limits.find(metric)
    if row is None or not isinstance(row.value, int | float):
        raise OutsideError(f"validators/limits has no number for {metric}: give --cooldown and --at-once")
    return float(row.value)
