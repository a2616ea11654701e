"""``rackwright judge SITE``: judges stored evidence again, offline, and prints what does not pass.

Exits 1 when a verdict is fail or inconclusive. Readings that were never taken are shown; what they mean for a node is the
gate's to say (``rackwright gate``).
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rackwright.cli import output, site
from rackwright.errors import ExitCode, UsageError
from rackwright.model.verdict import Outcome, Verdict

if TYPE_CHECKING:
    from rackwright.model.check import NodeEvidence
    from rackwright.model.design import Design
    from rackwright.workspace import Workspace

BAD = (Outcome.FAIL, Outcome.INCONCLUSIVE)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, where the evidence is, and which nodes."""
    site.add_site(parser)
    site.add_nodes(parser)
    site.add_work(parser)
    add_evidence(parser)
    output.add_format(parser)


def add_evidence(parser: argparse.ArgumentParser) -> None:
    """``--evidence`` and ``--run``: which readings are judged."""
    parser.add_argument("--evidence", metavar="DIR", help="evidence store (default: the one of this site)")
    parser.add_argument("--run", metavar="ID", help="run of the store (default: the newest)")


def run(args: argparse.Namespace) -> int:
    """Load, judge, print."""
    from rackwright.judge import checks, limits  # heavy; --help does not need them
    from rackwright.judge import run as judge

    loaded = site.load(args)
    design = site.expand(loaded)
    seen = evidence(args, design, site.workspace(args, loaded.site))
    found = judge(design, seen, checks(), limits(), site.nodes(args, design) if args.nodes else None)
    if args.format == "json":
        output.emit({"verdicts": [verdict.model_dump(mode="json") for verdict in found]})
    else:
        print("\n".join(_summary(found)))
    return ExitCode.PROBLEMS if any(verdict.outcome in BAD for verdict in found) else ExitCode.PASS


def evidence(args: argparse.Namespace, design: Design, workspace: Workspace) -> dict[str, NodeEvidence]:
    """The stored evidence that is judged: of ``--evidence`` or of the workspace, of ``--run`` or of the newest run."""
    from rackwright import collect

    folder = Path(args.evidence) if args.evidence else workspace.path / "evidence"
    if not folder.is_dir():
        raise UsageError(f"{folder} holds no evidence: run `rackwright collect {args.site}` first, or name --evidence")
    seen = collect.load(collect.Store(folder), args.run)
    strangers = sorted(set(seen) - {node.name for node in design.nodes()})
    if strangers:
        raise UsageError(
            f"{folder} holds evidence of {', '.join(strangers)}, which site {design.site.site} does not have"
        )
    return seen


def _summary(found: Sequence[Verdict]) -> Iterable[str]:
    for verdict in found:
        if verdict.outcome != Outcome.PASS:
            yield f"{verdict.outcome.value.upper():<13} {verdict.check:<26} {verdict.says}"
    counts = Counter(verdict.outcome for verdict in found)
    told = ", ".join(f"{counts[outcome]} {outcome.value}" for outcome in Outcome if counts[outcome])
    yield f"{len(found)} verdicts on {len({verdict.target for verdict in found})} nodes: {told or 'nothing was judged'}"
    if len(counts) > 1 or Outcome.PASS not in counts:
        yield "What a check means and what to do: `rackwright explain CHECK`"
