"""``rackwright judge SITE``: judges stored evidence again, offline, and prints everything but passes.

Exits 1 if a verdict is fail or inconclusive, or a named node has no evidence. Missing optional readings are printed; the gate
decides what they mean for a node (``rackwright gate``). With ``--limits`` it judges twice, prints the verdicts that change,
and exits 1 if one gets worse.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rackwright.base.durable_file import create_file
from rackwright.base.errors import ExitCode, ProblemsError, UsageError
from rackwright.cli import output, site
from rackwright.cli.accept import calibration, judge_json, judge_text
from rackwright.cli.accept.evidence_options import add_evidence, as_of_time, evidence_folder, recall_evidence
from rackwright.cli.accept.limits import limit_files, overlay_limits
from rackwright.model.hostlist import fold_hosts
from rackwright.model.verdict import Outcome, Verdict

if TYPE_CHECKING:
    from rackwright.base.workspace import Workspace
    from rackwright.judge import LimitTable
    from rackwright.model.check import NodeEvidence
    from rackwright.model.design import Design
    from rackwright.spec import LoadedSite

__all__ = ["add_arguments", "add_evidence", "evidence", "run"]

BAD = (Outcome.FAIL, Outcome.INCONCLUSIVE)
LARGE = 256
"""From this number of machines on, a site is judged in batches by several processes; below, one process is faster."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, where the evidence is, which nodes, which limits."""
    site.add_site(parser)
    site.add_nodes(parser)
    site.add_work(parser)
    add_evidence(parser)
    parser.add_argument(
        "--limits", metavar="PATH", help="a file or folder of different limits: print which verdicts change"
    )
    parser.add_argument(
        "--baseline", metavar="FILE", help="readings of an accepted fleet (from --learn), printed beside the limits"
    )
    parser.add_argument("--learn", metavar="FILE", help="write the readings of nodes that passed, as a baseline")
    parser.add_argument(
        "--calibrate",
        metavar="SERVER",
        help="with --learn: limits for what nobody has published of SERVER, on the terms of acceptance.calibrations",
    )
    output.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Load, judge, print."""
    from rackwright import judge  # heavy; --help does not need it

    if args.calibrate and not args.learn:
        raise UsageError(f"--calibrate {args.calibrate}: name the file for its limits with --learn FILE")
    loaded = site.load(args)
    design = site.expand(loaded)
    table = judge.load_limits(roots=design.roots)
    if _judges_all(args) and len(design.nodes()) > LARGE:
        return _judge_large_site(args, loaded, design, table)
    overlay = _overlay(args.limits, table, design) if args.limits else None
    baseline = judge.load_limits([Path(args.baseline)], table, only=True) if args.baseline else None
    stored_evidence = recall_evidence(args, design, site.workspace(args, loaded.site), table)
    names = site.nodes(args, design) if args.nodes else None
    checks = judge.load_checks(design.roots)
    verdicts = judge.judge_evidence(design, stored_evidence.nodes, checks, table, names, baseline)
    if args.calibrate:
        rows = calibration.calibrated_rows(args, loaded, design, table, stored_evidence, verdicts)
        _write(Path(args.learn), judge_text.calibrated(rows))
        print("\n".join(calibration.written(rows, args.learn, design)), file=sys.stderr)
    elif args.learn:
        rows = judge.learn_baselines(design, verdicts, stored_evidence.runs, stored_evidence.as_of.date())
        _write(Path(args.learn), judge_text.baseline(rows))
    basis = judge.basis(design, site.digest(loaded), table, stored_evidence.heads()) if args.format == "json" else {}
    if overlay is not None:
        return _flips(
            args,
            basis,
            overlay,
            verdicts,
            judge.judge_evidence(design, stored_evidence.nodes, checks, overlay, names, baseline),
        )
    if args.format == "json":
        basis["as_of"] = stored_evidence.as_of.isoformat()
        output.emit({"basis": basis, "verdicts": [verdict.model_dump(mode="json") for verdict in verdicts]})
    else:
        output.print_lines(judge_text.summary(verdicts, judge.plant_names(design)))
    unseen = [name for name in names or () if name not in stored_evidence.nodes]
    if unseen:
        print(f"rackwright: no evidence of {fold_hosts(unseen)}: run `rackwright collect`", file=sys.stderr)
    bad = unseen or any(verdict.outcome in BAD for verdict in verdicts)
    return ExitCode.PROBLEMS if bad else ExitCode.PASS


def _judges_all(args: argparse.Namespace) -> bool:
    """Whether the newest readings of all nodes are judged once, under the built-in limits."""
    return not any((args.nodes, args.run, args.limits, args.baseline, args.learn))


def _judge_large_site(args: argparse.Namespace, loaded: LoadedSite, design: Design, table: LimitTable) -> int:
    """The same verdicts, judged in batches on all processors."""
    from rackwright import judge
    from rackwright.base.garbage import no_collection
    from rackwright.flow.fleet_judgement import judge_store
    from rackwright.flow.stored_evidence import find_evidence

    folder = evidence_folder(args, site.workspace(args, loaded.site))
    as_json, as_of, checks = args.format == "json", as_of_time(args), judge.load_checks(design.roots)
    with no_collection(), tempfile.TemporaryDirectory(prefix="rackwright-") as scratch:
        keep = judge_json.Spool(Path(scratch), checks) if as_json else None
        judgement = judge_store(folder, design, table, checks, passes=as_json, keep=keep, as_of=as_of)
        if as_json:
            store, runs, moment = find_evidence(folder, design, as_of=as_of)
            heads = {run: store.head(run) for run in runs}
            basis = {**judge.basis(design, site.digest(loaded), table, heads), "as_of": moment.isoformat()}
            judge_json.write_verdicts(sys.stdout.buffer.write, basis, judgement)
        else:
            output.print_lines(
                judge_text.counted(judgement.sentences, judgement.counts, judgement.nodes, judgement.units)
            )
    return ExitCode.PROBLEMS if any(judgement.counts[outcome] for outcome in BAD) else ExitCode.PASS


def evidence(args: argparse.Namespace, design: Design, workspace: Workspace) -> Mapping[str, NodeEvidence]:
    """The stored evidence that the arguments select, under the limits of the site."""
    from rackwright import judge

    return recall_evidence(args, design, workspace, judge.load_limits(roots=design.roots)).nodes


def _overlay(name: str, base: LimitTable, design: Design) -> LimitTable:
    """The limits of a file or folder over the built-in ones. Raises ProblemsError if one is invalid or doubtful."""
    from rackwright import judge

    table = overlay_limits(name, base)
    overlaid = {str(file) for file in limit_files(name)}
    problems = [
        problem
        for problem in judge.lint_limits(table, design.accelerators)
        if problem.place.rpartition(":")[0] in overlaid
    ]
    if problems:
        raise ProblemsError(problems)
    return table


def _flips(
    args: argparse.Namespace,
    basis: dict[str, object],
    overlay: LimitTable,
    old: Sequence[Verdict],
    new: Sequence[Verdict],
) -> int:
    from rackwright import judge
    from rackwright.judge.basis import limits_sha256

    flipped = list(judge.verdict_flips(old, new))
    if args.format == "json":
        basis["new_limits_sha256"] = limits_sha256(overlay)
        output.emit({"basis": basis, "verdicts": len(new), "flips": [flip.model_dump(mode="json") for flip in flipped]})
    else:
        output.print_lines(judge_text.flips(flipped, len(new)))
    return ExitCode.PROBLEMS if any(flip.worse for flip in flipped) else ExitCode.PASS


def _write(path: Path, text: str) -> None:
    try:
        create_file(path, text)
    except FileExistsError:
        if path.is_file() and path.read_text(encoding="utf-8", errors="replace") == text:
            return  # by a run that was killed afterwards
        raise UsageError(f"--learn {path}: the file exists, and a baseline is not overwritten; name another") from None
    except FileNotFoundError:
        raise UsageError(f"--learn {path}: there is no folder {path.parent}") from None
