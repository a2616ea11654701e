"""``rackwright gate SITE``: decides from stored evidence which nodes may join, and makes Slurm follow.

Accepted nodes that rackwright drained itself are resumed and run a job; refused ones are drained with the failed check as
reason; what an operator drained is left alone. Exits 1 when a node is refused, or when Slurm is not as decided.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rackwright.cli import access, judge, output, site
from rackwright.errors import ExitCode

if TYPE_CHECKING:
    from rackwright import gate
    from rackwright.model.design import Design
    from rackwright.model.gate import Decision
    from rackwright.model.verdict import Verdict
    from rackwright.spec import Loaded


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, where the evidence is, which nodes, and whether to act."""
    site.add_site(parser)
    site.add_nodes(parser)
    site.add_work(parser)
    judge.add_evidence(parser)
    parser.add_argument("--dry-run", action="store_true", help="decide and look at Slurm, and change nothing")
    output.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Judge, decide, act, print."""
    loaded = site.load(args)
    design = site.expand(loaded)
    verdicts = judge.verdicts(args, loaded, design)
    decisions, over = _decide(args, loaded, design, verdicts)
    acts, proof = _carry_out(args, loaded, design, decisions)
    if not args.dry_run:
        _keep(args, loaded, verdicts, decisions)
    if args.format == "json":
        output.emit(
            {
                "decisions": [one.model_dump() for one in decisions],
                "acts": [vars(one) for one in acts],
                "job": vars(proof) if proof else None,
                "void_waivers": over,
            }
        )
    else:
        print("\n".join(_lines(decisions, acts, proof, over)))
    closed = not decisions or not all(one.accepted for one in decisions)
    stuck = not args.dry_run and (any(not one.done for one in acts) or bool(proof and proof.silent))
    return ExitCode.PROBLEMS if closed or stuck else ExitCode.PASS


def _decide(
    args: argparse.Namespace, loaded: Loaded, design: Design, verdicts: Sequence[Verdict]
) -> tuple[list[Decision], list[str]]:
    from rackwright import gate  # heavy; --help does not need it
    from rackwright.judge import checks

    today = datetime.now(UTC).date().isoformat()
    wanted = set(site.nodes(args, design)) if args.nodes else {verdict.target for verdict in verdicts}
    nodes = [node.name for node in design.nodes("accelerator") if node.name in wanted]
    acceptance = loaded.site.acceptance
    path = loaded.path.parent / acceptance.waivers if acceptance.waivers else None
    waivers = gate.waivers(path, checks().keys(), {node.name for node in design.nodes()})
    decisions = gate.decide(verdicts, gate.chosen(acceptance.gates), waivers, today, nodes)
    return decisions, gate.void(waivers, today)


def _carry_out(
    args: argparse.Namespace, loaded: Loaded, design: Design, decisions: Sequence[Decision]
) -> tuple[list[gate.Act], gate.Proof | None]:
    """Slurm is reached over SSH on its controller; a site without one has nothing to act on."""
    from rackwright import gate, remote

    slurm, controllers = loaded.site.control.slurm, design.nodes("slurm")
    members = [one for one in decisions if design.node(one.node).scheduler == "slurm"]
    if slurm is None or not controllers or not members:
        return [], None
    reach = remote.runner(access.from_site(loaded.site, near=loaded.path), controllers[0].inband_address)
    acts = gate.apply(members, reach, dry_run=args.dry_run)
    done = {act.node for act in acts if act.done}
    serving = {one.node: design.node(one.node).accelerators for one in members if one.accepted and one.node in done}
    if args.dry_run or not serving:
        return acts, None
    return acts, gate.prove(serving, slurm.partition, reach)


def _keep(args: argparse.Namespace, loaded: Loaded, verdicts: list[Verdict], decisions: list[Decision]) -> None:
    from rackwright.ledger import Ledger

    ledger = Ledger(site.workspace(args, loaded.site).ledger_url)
    kept = ledger.begin(loaded.site.site, "gate", {"nodes": args.nodes, "run": args.run})
    ledger.record_verdicts(kept, verdicts)
    ledger.record_decisions(kept, decisions)
    ledger.finish(kept, "done")
    ledger.close()


def _lines(
    decisions: Sequence[Decision], acts: Sequence[gate.Act], proof: gate.Proof | None, over: Sequence[str]
) -> Iterable[str]:
    for one in decisions:
        yield f"{'accepted' if one.accepted else 'REFUSED':<9} {one.node:<16} {one.reason.partition(': ')[2]}"
    yield from (f"slurm     {act.says}" for act in acts)
    yield from (f"waiver    {sentence}" for sentence in over)
    if proof is not None:
        yield f"job       {proof.says}"
    accepted = sum(one.accepted for one in decisions)
    yield f"{accepted} of {len(decisions)} nodes accepted" if decisions else "no node was judged, so none is accepted"
