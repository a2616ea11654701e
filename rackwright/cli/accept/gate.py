"""``rackwright gate SITE``: decides from stored evidence which nodes may join, and makes Slurm and Kubernetes follow.

Accepted nodes that rackwright drained itself are resumed and run a job; refused ones are drained with the failed check as
reason; what an operator drained is left alone. Exits 1 when a node is refused, or when Slurm is not as decided.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from rackwright.base.errors import ExitCode
from rackwright.cli import output, site, site_job
from rackwright.cli.accept import evidence_options as stored_evidence
from rackwright.cli.handover import attest

if TYPE_CHECKING:
    from rackwright.flow.job import Job
    from rackwright.flow.pipeline import GateResult


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, where the evidence is, which nodes, and whether to act."""
    site.add_site(parser)
    site.add_nodes(parser)
    site.add_work(parser)
    stored_evidence.add_evidence(parser)
    attest.add_sign(parser)
    parser.add_argument("--dry-run", action="store_true", help="decide and look at Slurm, and change nothing")
    output.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Judge, decide, act, write the report, print."""
    from rackwright import judge
    from rackwright.flow import pipeline, signed_bundle  # heavy; --help does not need them

    key = attest.signing_key(args) if args.sign else None
    with site_job.job(args, "gate", evidence=args.run, dry_run=args.dry_run) as opened:
        stored = stored_evidence.stored(args, opened.design, opened.workspace, judge.load_limits())
        source = signed_bundle.EvidenceSource(
            args.run or "", "" if args.run else stored.as_of.isoformat(), stored.heads()
        )
        seen = stored.nodes
        job = replace(opened, nodes=opened.nodes if args.nodes else _nodes(opened, seen))
        found = pipeline.judge_nodes(job, seen)
        gated = pipeline.decide_gates(job, seen, found, dry_run=args.dry_run)
        page = None if args.dry_run else pipeline.write_handover(job, seen, found, gated, source)
    bundle = attest.sign_bundle(args, site.load(args), key) if key is not None and page is not None else None
    if args.format == "json":
        output.emit(
            {
                "decisions": [one.model_dump() for one in gated.decisions],
                "groups": [one.model_dump() for one in gated.groups],
                "acts": [vars(one) for one in gated.acts],
                "job": vars(gated.proof) if gated.proof else None,
                "void_waivers": list(gated.void_waivers),
                "report": page,
                "bundle": bundle,
            }
        )
    else:
        print("\n".join(_lines(gated)))
        print(f"Report: {page}" if page else "Nothing was changed.")
        if bundle is not None and key is not None:
            print("\n".join(attest.bundle_lines(bundle, key)))
    closed = not gated.decisions or not all(one.accepted for one in gated.decisions)
    closed = closed or not all(one.open for one in gated.groups)
    stuck = not args.dry_run and (any(not one.done for one in gated.acts) or bool(gated.proof and gated.proof.silent))
    return ExitCode.PROBLEMS if closed or stuck else ExitCode.PASS


def _lines(gated: GateResult) -> Iterable[str]:
    for one in gated.decisions:
        yield f"{'accepted' if one.accepted else 'REFUSED':<9} {one.node:<16} {one.reason.partition(': ')[2]}"
    for group in gated.groups:
        yield f"{'open' if group.open else 'CLOSED':<9} {group.gate:<16} {group.scope} {group.group}: {group.reason}"
    yield from (f"scheduler {act.says}" for act in gated.acts)
    if gated.unreached:
        yield f"scheduler {gated.unreached}"
    yield from (f"waiver    {sentence}" for sentence in gated.void_waivers)
    if gated.proof is not None:
        yield f"job       {gated.proof.says}"
    accepted = sum(one.accepted for one in gated.decisions)
    count = len(gated.decisions)
    yield f"{accepted} of {count} nodes accepted" if count else "no node was judged, so none is accepted"


def _nodes(job: Job, seen: Iterable[str]) -> tuple[str, ...]:
    """The machines among those with evidence; rack PDUs and CDUs come along with them."""
    from rackwright import judge  # heavy, as above

    plant = judge.plant_names(job.design)
    return tuple(name for name in seen if name not in plant)
