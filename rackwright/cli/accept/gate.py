"""``rackwright gate SITE``: decides from stored evidence which nodes may join, and makes Slurm and Kubernetes follow.

Accepted nodes that rackwright drained itself are resumed and run a job; refused nodes are drained with the failed check as
reason; nodes that an operator drained are left alone. Exits 1 if a node is refused, or if a scheduler does not follow.
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
    from rackwright.flow.gate_result import GateResult
    from rackwright.flow.job import Job


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, where the evidence is, which nodes, and whether to act."""
    site.add_site(parser)
    site.add_nodes(parser)
    site.add_work(parser)
    stored_evidence.add_evidence(parser)
    attest.add_sign(parser)
    parser.add_argument("--dry-run", action="store_true", help="decide and read the schedulers, but change nothing")
    output.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Judge, decide, act, write the report, print."""
    from rackwright import judge
    from rackwright.flow import evidence_source, pipeline  # heavy; --help does not need them

    key = attest.signing_key(args) if args.sign else None
    with site_job.job(args, "gate", evidence=args.run, dry_run=args.dry_run) as opened:
        stored = stored_evidence.recall_evidence(
            args, opened.design, opened.workspace, judge.load_limits(roots=opened.design.roots)
        )
        source = evidence_source.EvidenceSource(
            args.run or "", "" if args.run else stored.as_of.isoformat(), stored.heads()
        )
        if not opened.twin and not args.dry_run:
            evidence_source.refuse_twins(stored.store, stored.runs)
        evidence = stored.nodes
        job = replace(opened, nodes=opened.nodes if args.nodes else _machines(opened, evidence))
        verdicts = pipeline.judge_nodes(job, evidence)
        gated = pipeline.decide_gates(job, evidence, verdicts, dry_run=args.dry_run)
        page = None if args.dry_run else pipeline.write_handover(job, evidence, verdicts, gated, source)
    bundle = attest.sign_bundle(args, site.load(args), key) if key is not None and page is not None else None
    if args.format == "json":
        output.emit(
            {
                "decisions": [record.model_dump() for record in gated.decisions],
                "groups": [record.model_dump() for record in gated.groups],
                "acts": [vars(record) for record in gated.acts],
                "job": vars(gated.proof) if gated.proof else None,
                "void_waivers": list(gated.void_waivers),
                "report": page,
                "bundle": bundle,
            }
        )
    else:
        output.print_lines(_lines(gated))
        print(f"Report: {page}" if page else "Nothing was changed.")
        if bundle is not None and key is not None:
            output.print_lines(attest.bundle_lines(bundle, key))
    closed = not gated.decisions or not all(record.accepted for record in gated.decisions)
    closed = closed or not all(record.open for record in gated.groups)
    stuck = not args.dry_run and (
        any(not record.done for record in gated.acts) or bool(gated.proof and gated.proof.silent)
    )
    return ExitCode.PROBLEMS if closed or stuck else ExitCode.PASS


def _lines(gated: GateResult) -> Iterable[str]:
    for decision in gated.decisions:
        yield f"{'accepted' if decision.accepted else 'REFUSED':<9} {decision.node:<16} {decision.reason.partition(': ')[2]}"
    for group in gated.groups:
        yield f"{'open' if group.open else 'CLOSED':<9} {group.gate:<16} {group.scope} {group.group}: {group.reason}"
    yield from (f"scheduler {act.says}" for act in gated.acts)
    if gated.unreached:
        yield f"scheduler {gated.unreached}"
    yield from (f"waiver    {sentence}" for sentence in gated.void_waivers)
    if gated.proof is not None:
        yield f"job       {gated.proof.says}"
    accepted = sum(decision.accepted for decision in gated.decisions)
    count = len(gated.decisions)
    yield f"{accepted} of {count} nodes accepted" if count else "no node was judged, so none is accepted"


def _machines(job: Job, names: Iterable[str]) -> tuple[str, ...]:
    """The names with evidence without rack PDUs and CDUs, which come along with their nodes."""
    from rackwright import judge  # heavy, as above

    plant = judge.plant_names(job.design)
    return tuple(name for name in names if name not in plant)
