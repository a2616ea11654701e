"""``rackwright gate SITE``: decides from stored evidence which nodes may join, and makes Slurm and Kubernetes follow.

Accepted nodes that rackwright drained itself are resumed and run a job; refused nodes are drained with the failed check as
reason; nodes that an operator drained are left alone. Exits 1 if a node is refused, or if a scheduler does not follow.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rackwright.base.errors import ExitCode, OutsideError
from rackwright.cli import output, site, site_job
from rackwright.cli.accept.evidence_options import add_evidence, as_of_time, evidence_folder, recall_evidence
from rackwright.cli.accept.judge import LARGE
from rackwright.cli.handover import attest

if TYPE_CHECKING:
    from pathlib import Path

    from rackwright.collect import Store
    from rackwright.flow.gate_result import GateResult
    from rackwright.flow.job import Job
    from rackwright.flow.stored_evidence import Recalled
    from rackwright.model.verdict import Verdict


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, where the evidence is, which nodes, and whether to act."""
    site.add_site(parser)
    site.add_nodes(parser)
    site.add_work(parser)
    add_evidence(parser)
    attest.add_sign(parser)
    parser.add_argument("--dry-run", action="store_true", help="decide and read the schedulers, but change nothing")
    output.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Judge, decide, act, write the report, print."""
    signer = attest.chosen_signer(args) if args.sign else None
    with site_job.job(args, "gate", evidence=args.run, dry_run=args.dry_run) as opened:
        large = not args.nodes and not args.run and len(opened.design.nodes()) > LARGE
        gated, page = _decide_large(args, opened) if large else _decide(args, opened)
    bundle = attest.sign_bundle(args, site.load(args), signer) if signer is not None and page is not None else None
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
        if bundle is not None and signer is not None:
            output.print_lines(attest.bundle_lines(bundle, signer))
    closed = not gated.decisions or not all(record.accepted for record in gated.decisions)
    closed = closed or not all(record.open for record in gated.groups)
    stuck = not args.dry_run and (
        any(not record.done for record in gated.acts) or bool(gated.proof and gated.proof.silent)
    )
    return ExitCode.PROBLEMS if closed or stuck else ExitCode.PASS


def _decide(args: argparse.Namespace, opened: Job) -> tuple[GateResult, Path | None]:
    """The result of the gate, and the page of the report (None with ``--dry-run``)."""
    from rackwright.flow import pipeline  # heavy; --help does not need it

    stored = _recall(args, opened)
    _refuse_twins(args, opened, stored.store, stored.runs)
    job = replace(opened, nodes=opened.nodes if args.nodes else _machines(opened, stored.nodes))
    verdicts = pipeline.judge_nodes(job, stored.nodes)
    facts = pipeline.extract_evidence(job, stored.nodes)
    gated = pipeline.decide_gates(job, facts, verdicts, stored.store, dry_run=args.dry_run)
    return gated, None if args.dry_run else _write(args, job, stored, verdicts, gated)


def _decide_large(args: argparse.Namespace, opened: Job) -> tuple[GateResult, Path | None]:
    """The same as `_decide` for a large site, judged in batches on all processors."""
    from rackwright.flow import fleet_gate, pipeline  # heavy, as above
    from rackwright.flow.stored_evidence import find_evidence

    folder, as_of = evidence_folder(args, opened.workspace), as_of_time(args)
    store, runs, _ = find_evidence(folder, opened.design, as_of=as_of)
    _refuse_twins(args, opened, store, runs)
    job, judged, facts = fleet_gate.judge_fleet(opened, folder, as_of)
    gated = pipeline.decide_gates(job, facts, judged, store, dry_run=args.dry_run)
    return gated, None if args.dry_run else _handover(args, job, gated, runs)


def _refuse_twins(args: argparse.Namespace, job: Job, store: Store, runs: Sequence[str]) -> None:
    """Raises for evidence of a twin unless this process runs in the twin or only tries: it may accept no real node."""
    from rackwright.flow import evidence_source

    if not job.twin and not args.dry_run:
        evidence_source.refuse_twins(store, runs)


def _recall(args: argparse.Namespace, job: Job) -> Recalled:
    from rackwright import judge  # heavy, as above

    return recall_evidence(args, job.design, job.workspace, judge.load_limits(roots=job.design.roots))


def _handover(args: argparse.Namespace, job: Job, gated: GateResult, runs: Sequence[str]) -> Path:
    """Write the report of a large site. It needs the sentences of passes too, so the evidence of `runs` is judged once more.

    OutsideError if more evidence was collected meanwhile, because the decisions do not cover it.
    """
    from rackwright import judge

    stored, roots = _recall(args, job), job.design.roots
    if stored.runs != tuple(runs):
        raise OutsideError(
            f"{stored.store.folder} has newer evidence than what was decided on: run `rackwright gate` again"
        )
    checks, limits = judge.load_checks(roots), judge.load_limits(roots=roots)
    verdicts = judge.judge_evidence(job.design, stored.nodes, checks, limits, job.nodes)
    return _write(args, job, stored, verdicts, gated)


def _write(
    args: argparse.Namespace, job: Job, stored: Recalled, verdicts: Sequence[Verdict], gated: GateResult
) -> Path:
    """Write the report; returns its page."""
    from rackwright.flow import evidence_source, pipeline

    as_of = "" if args.run else stored.as_of.isoformat()
    sealed = gated.record.sealed
    # Conclusions count whichever run was judged, and a chain is handed over without gaps.
    heads = evidence_source.all_runs(stored.store).heads if sealed.isolations or sealed.repairs else stored.heads()
    source = evidence_source.EvidenceSource(args.run or "", as_of, heads, stored.store)
    return pipeline.write_handover(job, stored.nodes, verdicts, gated, source)


def _lines(gated: GateResult) -> Iterable[str]:
    for decision in gated.decisions:
        age = f"; {decision.evidence}" if decision.accepted and decision.evidence else ""
        yield f"{'accepted' if decision.accepted else 'REFUSED':<9} {decision.node:<16} {decision.reason.partition(': ')[2]}{age}"
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
    """Names with evidence, without rack PDUs and CDUs: these follow from their nodes."""
    from rackwright import judge  # heavy, as above

    plant = judge.plant_names(job.design)
    return tuple(name for name in names if name not in plant)
