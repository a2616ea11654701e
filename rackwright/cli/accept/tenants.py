"""``rackwright tenants SITE``: tries the walls between tenants with pods of each on nodes in service, and stores what they saw.

Exits 1 if a wall does not stand, or was not shown to.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from rackwright.base.errors import ExitCode
from rackwright.cli import output, site, site_job
from rackwright.cli.accept import collect as collected
from rackwright.model.verdict import Outcome

if TYPE_CHECKING:
    from rackwright.flow.tenant_walls import WallsResult


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, the nodes, the workspace, the image of the pods, and the output format."""
    site.add_site(parser)
    site.add_nodes(parser)
    site.add_work(parser)
    image = "an image with a shell and python3 or nc that tenants can pull (default: the image of the site)"
    parser.add_argument("--image", metavar="IMAGE", default="", help=image)
    output.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Run the pods, ask the API server, store, judge, print."""
    from rackwright.flow import load_tests, tenant_walls  # heavy; --help does not need them

    with site_job.job(args, "tenants", bmcs=False) as job:
        shared = tenant_walls.shared_nodes(job.design, job.nodes, named=bool(args.nodes))
        image = load_tests.image(job, load_tests.Reach("kubernetes", args.image))
        result = tenant_walls.try_walls(job, shared, image)
    store = job.evidence_store()
    if args.format == "json":
        verdicts = [verdict.model_dump(mode="json") for verdict in result.verdicts]
        path = str(store.path(result.run))
        nodes = collected.plain(result.evidence)
        output.emit({"run": result.run, "path": path, "nodes": nodes, "verdicts": verdicts})
    else:
        _show(result)
        print(f"run {result.run}: {store.path(result.run)}")
    good = bool(result.verdicts) and all(verdict.outcome is Outcome.PASS for verdict in result.verdicts)
    return ExitCode.PASS if good else ExitCode.PROBLEMS


def _show(result: WallsResult) -> None:
    width = max((len(verdict.check) for verdict in result.verdicts), default=0)
    output.print_lines(
        f"{verdict.outcome:<12}  {verdict.check:<{width}}  {verdict.says}" for verdict in result.verdicts
    )
