"""``rackwright judge SITE``: judges stored evidence again, offline, and prints what does not pass.

Exits 1 when a verdict is fail or inconclusive, or nothing was seen of a node that was named. Other readings that were never
taken are shown; what they mean for a node is the gate's to say (``rackwright gate``). With ``--limits`` it judges twice,
prints the verdicts that flip, and exits 1 when one gets worse.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rackwright.base.errors import ExitCode, ProblemsError, UsageError
from rackwright.cli import output, site
from rackwright.cli.accept import judge_text
from rackwright.cli.accept.evidence_options import add_evidence, moment, stored
from rackwright.cli.accept.hostlist import hostlist
from rackwright.cli.accept.limits import files as limit_files
from rackwright.cli.accept.limits import laid_over
from rackwright.model.verdict import Outcome, Verdict

if TYPE_CHECKING:
    from rackwright.base.workspace import Workspace
    from rackwright.judge import LimitTable
    from rackwright.model.check import NodeEvidence
    from rackwright.model.design import Design

__all__ = ["add_arguments", "add_evidence", "evidence", "run"]

BAD = (Outcome.FAIL, Outcome.INCONCLUSIVE)
LARGE = 256
"""Machines from which on a site is judged part by part: below, one process is done before others have started."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, where the evidence is, which nodes, which limits."""
    site.add_site(parser)
    site.add_nodes(parser)
    site.add_work(parser)
    add_evidence(parser)
    parser.add_argument("--limits", metavar="PATH", help="a file or folder of other limits: say which verdicts flip")
    parser.add_argument("--baseline", metavar="FILE", help="what an accepted fleet measured, shown beside the limits")
    parser.add_argument("--learn", metavar="FILE", help="write what the nodes measured that were judged good")
    output.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Load, judge, print."""
    from rackwright import judge  # heavy; --help does not need it

    loaded = site.load(args)
    design = site.expand(loaded)
    table = judge.load_limits()
    if _counts_only(args) and len(design.nodes()) > LARGE:
        return _large(args, design, site.workspace(args, loaded.site), table)
    other = _overlay(args.limits, table, design) if args.limits else None
    baseline = judge.load_limits([Path(args.baseline)], table, only=True) if args.baseline else None
    seen = stored(args, design, site.workspace(args, loaded.site), table)
    names = site.nodes(args, design) if args.nodes else None
    checks = judge.load_checks()
    found = judge.judge_evidence(design, seen.nodes, checks, table, names, baseline)
    if args.learn:
        _write(
            Path(args.learn),
            judge_text.baseline(judge.learn_baselines(design, found, seen.runs, seen.as_of.isoformat())),
        )
    told = judge.basis(design, site.digest(loaded), table, seen.heads()) if args.format == "json" else {}
    if other is not None:
        return _flips(
            args, told, other, found, judge.judge_evidence(design, seen.nodes, checks, other, names, baseline)
        )
    if args.format == "json":
        told["as_of"] = seen.as_of.isoformat()
        output.emit({"basis": told, "verdicts": [verdict.model_dump(mode="json") for verdict in found]})
    else:
        print("\n".join(judge_text.summary(found, judge.plant_names(design))))
    unseen = [name for name in names or () if name not in seen.nodes]
    if unseen:
        print(f"rackwright: nothing was seen of {hostlist(unseen)}: run `rackwright collect`", file=sys.stderr)
    bad = unseen or any(verdict.outcome in BAD for verdict in found)
    return ExitCode.PROBLEMS if bad else ExitCode.PASS


def _counts_only(args: argparse.Namespace) -> bool:
    """Whether nothing is asked for that needs every single verdict."""
    others = (args.nodes, args.run, args.limits, args.baseline, args.learn)
    return args.format == "text" and not any(others)


def _large(args: argparse.Namespace, design: Design, workspace: Workspace, table: LimitTable) -> int:
    """The same verdicts, judged part by part by all processors."""
    from rackwright import judge
    from rackwright.flow.fleet_judgement import judge_store

    folder = Path(args.evidence) if args.evidence else workspace.path / "evidence"
    judgement = judge_store(folder, design, table, judge.load_checks(), passes=False, as_of=moment(args))
    print("\n".join(judge_text.counted(judgement.sentences, judgement.counts, judgement.nodes, judgement.units)))
    return ExitCode.PROBLEMS if any(judgement.counts[outcome] for outcome in BAD) else ExitCode.PASS


def evidence(args: argparse.Namespace, design: Design, workspace: Workspace) -> Mapping[str, NodeEvidence]:
    """The stored evidence that the arguments mean, under the limits that we ship."""
    from rackwright import judge

    return stored(args, design, workspace, judge.load_limits()).nodes


def _overlay(name: str, base: LimitTable, design: Design) -> LimitTable:
    """The limits of a file or folder over ours; ProblemsError when one of them is refused, or doubtful."""
    from rackwright import judge

    table = laid_over(name, base)
    own = {str(file) for file in limit_files(name)}
    problems = [one for one in judge.lint_limits(table, design.accelerators) if one.place.rpartition(":")[0] in own]
    if problems:
        raise ProblemsError(problems)
    return table


def _flips(
    args: argparse.Namespace,
    basis: dict[str, object],
    other: LimitTable,
    old: Sequence[Verdict],
    new: Sequence[Verdict],
) -> int:
    from rackwright import judge
    from rackwright.judge.basis import limits_sha256

    flipped = list(judge.verdict_flips(old, new))
    if args.format == "json":
        basis["new_limits_sha256"] = limits_sha256(other)
        output.emit({"basis": basis, "verdicts": len(new), "flips": [one.model_dump(mode="json") for one in flipped]})
    else:
        print("\n".join(judge_text.flips(flipped, len(new))))
    return ExitCode.PROBLEMS if any(one.worse for one in flipped) else ExitCode.PASS


def _write(path: Path, text: str) -> None:
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise UsageError(f"--learn {path}: the file exists, and a baseline is not overwritten; name another") from None
    except FileNotFoundError:
        raise UsageError(f"--learn {path}: there is no folder {path.parent}") from None
