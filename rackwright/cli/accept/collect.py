"""``rackwright collect SITE``: collects evidence from nodes, BMCs and fabric, stores it, and prints a line per machine."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rackwright.base.errors import ExitCode
from rackwright.cli import output, site, site_job
from rackwright.model.records import reading_name

if TYPE_CHECKING:
    from rackwright.model.check import NodeEvidence


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, the nodes, the workspace, and the output format."""
    site.add_site(parser)
    site.add_nodes(parser)
    site.add_work(parser)
    ways = "how nodes are reached: ssh, slurm (srun on the controller) or kubernetes (pods); the last two for nodes they schedule"
    parser.add_argument("--via", choices=["ssh", "slurm", "kubernetes"], default="ssh", help=f"{ways} (default ssh)")
    add_pods(parser)
    output.add_format(parser)


def add_pods(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """``--image`` and ``--namespace``, for pods."""
    image = "for kubernetes: an image with a shell, cat and chroot (default: the image of the site)"
    parser.add_argument("--image", metavar="IMAGE", default="", help=image)
    parser.add_argument("--namespace", metavar="NAME", default="default", help="for kubernetes (default default)")


def run(args: argparse.Namespace) -> int:
    """Collect, store, parse, print; 1 if a node lacks an expected record."""
    from rackwright.flow import load_tests, pipeline  # paramiko and Pulumi take time that a wrong call need not wait

    with site_job.job(args, "collect", via=args.via) as job:
        evidence = pipeline.collect_evidence(job, load_tests.Reach(args.via, args.image, args.namespace))
    store = job.evidence_store()
    run_id = store.latest()
    if args.format == "json":
        output.emit({"run": run_id, "path": str(store.path(run_id)), "nodes": plain(evidence)})
    else:
        show(evidence)
        print(f"run {run_id}: {store.path(run_id)}")
    return ExitCode.PROBLEMS if any(of_node.errors for of_node in evidence.values()) else ExitCode.PASS


def plain(evidence: Mapping[str, NodeEvidence]) -> dict[str, Any]:
    """Evidence as data: records and hashes by kind, and errors by collector."""
    return {
        node: {
            "records": {reading_name(kind): record.model_dump() for kind, record in of_node.records.items()},
            "raw": {reading_name(kind): name for kind, name in of_node.raw.items()},
            "errors": dict(of_node.errors),
        }
        for node, of_node in evidence.items()
    }


def show(evidence: Mapping[str, NodeEvidence]) -> None:
    """One line per machine: the records that were read, and why others are missing."""
    output.print_lines(_lines(evidence))


def _lines(evidence: Mapping[str, NodeEvidence]) -> Iterator[str]:
    width = max(map(len, evidence), default=0)
    for node, of_node in evidence.items():
        kinds = ", ".join(sorted(reading_name(kind) for kind in of_node.records)) or "nothing"
        yield f"{node:<{width}}  {kinds}"
        for error in dict.fromkeys(of_node.errors.values()):
            missing = ", ".join(identity for identity, reason in of_node.errors.items() if reason == error)
            yield f"{'':<{width}}  no {missing}: {error}"
