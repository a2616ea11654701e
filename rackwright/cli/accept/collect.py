"""``rackwright collect SITE``: takes evidence of nodes, BMCs and fabric, stores it, and says what came of each node."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rackwright.base.errors import ExitCode
from rackwright.cli import output, site, site_job

if TYPE_CHECKING:
    from rackwright.model.check import NodeEvidence


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, the nodes, the workspace, and the output format."""
    site.add_site(parser)
    site.add_nodes(parser)
    site.add_work(parser)
    ways = "how nodes are reached: ssh, slurm (srun on the controller) or kubernetes (pods) for those in its service"
    parser.add_argument("--via", choices=["ssh", "slurm", "kubernetes"], default="ssh", help=f"{ways} (default ssh)")
    add_pods(parser)
    output.add_format(parser)


def add_pods(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """What pods are made of."""
    image = "for kubernetes: an image with a shell, cat and chroot (default: that of the site)"
    parser.add_argument("--image", metavar="IMAGE", default="", help=image)
    parser.add_argument("--namespace", metavar="NAME", default="default", help="for kubernetes (default default)")


def run(args: argparse.Namespace) -> int:
    """Ask, store, read, print; 1 when a record that a node owes is missing."""
    from rackwright import collect
    from rackwright.flow import load_tests, pipeline  # paramiko and Pulumi take time that a wrong call need not wait

    with site_job.job(args, "collect", via=args.via) as job:
        evidence = pipeline.collect_evidence(job, load_tests.Reach(args.via, args.image, args.namespace))
    store = collect.Store(job.workspace.folder("evidence"))
    run_id = store.latest()
    if args.format == "json":
        output.emit({"run": run_id, "path": str(store.path(run_id)), "nodes": plain(evidence)})
    else:
        show(evidence)
        print(f"run {run_id}: {store.path(run_id)}")
    return ExitCode.PROBLEMS if any(one.errors for one in evidence.values()) else ExitCode.PASS


def plain(evidence: Mapping[str, NodeEvidence]) -> dict[str, Any]:
    """Evidence as data: records and hashes by kind, and what is missing by collector."""
    return {
        node: {
            "records": {kind.__name__: record.model_dump() for kind, record in one.records.items()},
            "raw": {kind.__name__: name for kind, name in one.raw.items()},
            "errors": dict(one.errors),
        }
        for node, one in evidence.items()
    }


def show(evidence: Mapping[str, NodeEvidence]) -> None:
    """One line per machine: the records that were read, and why others were not."""
    width = max(map(len, evidence), default=0)
    for node, one in evidence.items():
        kinds = ", ".join(sorted(kind.__name__ for kind in one.records)) or "nothing"
        print(f"{node:<{width}}  {kinds}")
        for error in dict.fromkeys(one.errors.values()):
            missing = ", ".join(identity for identity, said in one.errors.items() if said == error)
            print(f"{'':<{width}}  no {missing}: {error}")
