"""Options of ``rackwright isolate``."""

from __future__ import annotations

import argparse

from rackwright.base.errors import UsageError
from rackwright.cli import output, site
from rackwright.cli.accept.collect import add_pods


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, what to do, and over which fabric."""
    site.add_site(parser)
    site.add_nodes(parser)
    site.add_work(parser)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--plan", action="store_true", help="print screens, proof of coverage and cost (the default)")
    what.add_argument("--simulate", action="store_true", help="simulate the search for --faults, with noise")
    what.add_argument(
        "--run",
        action="store_true",
        help="run the tests on nodes that take no jobs, decide, and store the result for the gate",
    )
    what.add_argument("--readings", metavar="FILE", help="decide from readings (JSON lines); print the next tests")
    parser.add_argument("--fabric", metavar="NAME", help="compute fabric (default: the only one)")
    parser.add_argument(
        "--routes", metavar="FILE", help="static routing, as JSON: switch -> leaf -> cable (default: adaptive)"
    )
    parser.add_argument(
        "--minutes", type=float, metavar="M", help="deadline in minutes: no round starts that would end later"
    )
    parser.add_argument(
        "--faults", metavar="LIST", default="",
        help="node:NAME,nvlink:NAME,rail:NODE/PORT,cable:NAME,switch:NAME,pair:NODE+NODE; append =0.2 to set its loss",
    )  # fmt: skip
    parser.add_argument("--silent", metavar="NODES", default="", help="with --simulate: nodes that do not respond")
    parser.add_argument("--no-rails", action="store_true", help="tests measure only the total, not each rail")
    parser.add_argument(
        "--expected",
        type=int,
        metavar="N",
        help="expected number of faulty nodes (prior): lower means fewer tests, more rounds",
    )
    parser.add_argument(
        "--soak",
        type=int,
        default=0,
        metavar="N",
        help="after the screens, N more rounds of all nodes in shuffled order: for faults that show at times",
    )
    parser.add_argument(
        "--plays", type=int, metavar="N", help="simulated searches per number of faults, for the cost estimate"
    )
    ways = ["slurm", "mpi", "kubernetes"]
    parser.add_argument(
        "--via", choices=ways, default="slurm", help="with --run: how tests are started (default slurm)"
    )
    add_pods(parser)
    parser.add_argument(
        "--unscheduled", action="store_true", help="with --run: the nodes take no jobs yet; do not query the scheduler"
    )
    parser.add_argument("--seed", type=int, default=0, help="random seed (default 0)")
    parser.add_argument(
        "--out", metavar="FILE", help="write the tests (with --simulate and --run: the readings) as JSON lines"
    )
    output.add_format(parser)


def check_options(args: argparse.Namespace) -> None:
    """Raises UsageError for a number out of range, and for options that contradict each other."""
    if args.minutes is not None and args.minutes <= 0:
        raise UsageError(f"--minutes {args.minutes:g}: give a number above 0")
    if args.plays is not None and args.plays < 1:
        raise UsageError(f"--plays {args.plays}: give a number above 0")
    if args.expected is not None and args.expected < 0:
        raise UsageError(f"--expected {args.expected}: give 0 or more")
    if args.soak < 0:
        raise UsageError(f"--soak {args.soak}: give 0 or more")
    if (args.faults or args.silent) and not args.simulate:
        raise UsageError("--faults and --silent are for --simulate: nothing else invents faults")
