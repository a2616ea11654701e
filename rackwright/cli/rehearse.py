"""``rackwright rehearse SITE``: the whole bring-up on the digital twin of a site, with faults put in on purpose.

Exits 0 when what was found is what was injected, 1 when it is not. Everything after the first lines runs inside the
namespaces of the twin, which end with this process however it ends.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from rackwright.cli import output, site
from rackwright.cli.progress import StepProgress
from rackwright.errors import ExitCode, Problem, ProblemsError, UsageError

if TYPE_CHECKING:
    from rackwright.ledger import Ledger
    from rackwright.model.design import Design
    from rackwright.model.verdict import Verdict
    from rackwright.rehearsal import Assessment
    from rackwright.spec import Loaded

KIND = "rehearse"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, the nodes, the faults, and whether to go on with an interrupted run."""
    site.add_site(parser)
    site.add_nodes(parser, default=str(site.DEFAULT_NODES))
    site.add_work(parser)
    faults = parser.add_mutually_exclusive_group()
    faults.add_argument("--fault", metavar="NAME", action="append", help="inject this fault instead; may be repeated")
    faults.add_argument("--no-faults", action="store_true", help="inject nothing: every node must be accepted")
    parser.add_argument("--list-faults", action="store_true", help="print the faults there are, and end")
    parser.add_argument("--resume", action="store_true", help="go on with the interrupted rehearsal of this site")
    output.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Refuse early what cannot work, enter the twin's namespaces, rehearse."""
    from rackwright.twin import faults, namespaces

    if args.list_faults:
        print("\n".join(f"{fault.name:<26} {fault.summary}" for fault in faults.known().values()))
        return ExitCode.PASS
    if namespaces.inside(os.environ):
        return _rehearse(args)
    loaded = site.load(args)
    faults.choose(_names(args), ["any"] * faults.most() * max(1, len(_names(args))))
    if args.resume:
        _options(args, loaded, _ledger(args, loaded))
    namespaces.reexec(sys.argv[1:])
    raise AssertionError("the process was replaced")


def _names(args: argparse.Namespace) -> list[str]:
    from rackwright.twin import faults

    return [] if args.no_faults else list(args.fault or faults.DEFAULT)


def _ledger(args: argparse.Namespace, loaded: Loaded) -> Ledger:
    from rackwright.ledger import Ledger

    return Ledger(site.workspace(args, loaded.site).ledger_url)


def _options(args: argparse.Namespace, loaded: Loaded, ledger: Ledger) -> tuple[str, dict[str, Any]]:
    """Run id and options: those of the interrupted run with ``--resume``, else of a new one."""
    last = ledger.unfinished(loaded.site.site, KIND)
    sha256 = hashlib.sha256(loaded.path.read_bytes()).hexdigest()
    if args.resume:
        if last is None:
            raise UsageError(f"no interrupted rehearsal of {loaded.site.site} is there to resume: run without --resume")
        if last.site_sha256 != sha256:
            raise UsageError(f"{loaded.path} has changed since the interrupted rehearsal: run without --resume")
        return last.id, last.options
    if last is not None:
        ledger.finish(last.id, "abandoned")
    options = {"nodes": args.nodes, "faults": _names(args)}
    return ledger.begin(loaded.site.site, KIND, options, site_sha256=sha256), options


def _rehearse(args: argparse.Namespace) -> int:
    # Provisioning loads gRPC into this process, and onboarding forks from it: gRPC's own fork handlers break the children.
    os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
    from rackwright import rehearsal

    with StepProgress(list(rehearsal.STEPS), quiet=args.format == "json") as progress:
        progress.start("spec")
        loaded = site.load(args)
        progress.end(
            "spec", "done", f"{loaded.site.site}: {', '.join(f'{p.count} x {p.server}' for p in loaded.site.pools)}"
        )
        progress.start("design")
        design = site.expand(loaded)
        progress.end("design", "done", _designed(design))
        assessment, page = _on_twin(args, loaded, design, progress)
    if args.format == "json":
        output.emit({**assessment.as_dict(), "report": page})
    else:
        print("\n".join(_summary(assessment, page)))
    return ExitCode.PASS if assessment.as_injected else ExitCode.PROBLEMS


def _designed(design: Design) -> str:
    """Totals in one line; a broken design rule stops the rehearsal."""
    from rackwright.design import rules
    from rackwright.model.verdict import Outcome

    broken = [one for one in rules.run(design) if one.outcome == Outcome.FAIL]
    if broken:
        raise ProblemsError(_problem(one) for one in broken)
    totals = design.totals
    cables = design.cables.height
    return f"{totals['nodes']} nodes, {totals['racks']} racks, {cables} cables, {totals['it_kw']:.0f} kW; design rules hold"


def _problem(verdict: Verdict) -> Problem:
    return Problem(
        verdict.target, "", verdict.says, verdict.expected, verdict.observed,
        "change the site; `rackwright design SITE` shows every rule", f"design.{verdict.check}",
    )  # fmt: skip


def _on_twin(
    args: argparse.Namespace, loaded: Loaded, design: Design, progress: StepProgress
) -> tuple[Assessment, str]:
    from rackwright import rehearsal
    from rackwright.job import Job
    from rackwright.twin import faults
    from rackwright.twin.state import build
    from rackwright.twin.twin import Twin

    ledger = _ledger(args, loaded)
    run_id, options = _options(args, loaded, ledger)
    args.nodes = options["nodes"]
    nodes = site.nodes(args, design)
    injected = faults.choose(options["faults"], [name for name in nodes if design.node(name).accelerators])
    workspace = site.workspace(args, loaded.site)
    progress.start("twin")
    with Twin(design, nodes, faults.apply(build(design, nodes), injected), workspace, keep=args.resume) as twin:
        twin.start(lambda name, data: _watch_twin(progress, name, data))
        progress.end("twin", "done", f"{len(nodes)} hosts and BMCs answer")
        os.environ.update(twin.environment())
        job = Job(
            loaded.path, design, tuple(nodes), twin.access, workspace, ledger, run_id, progress,
            now=lambda: datetime.now(UTC).isoformat(timespec="seconds"),
        )  # fmt: skip
        assessment, page = rehearsal.run(job, twin, injected, resumed=args.resume and twin.kept)
        ledger.finish(run_id, "as injected" if assessment.as_injected else "not as injected")
    return assessment, str(page)


def _watch_twin(progress: StepProgress, name: str, data: dict[str, Any]) -> None:
    if "text" in data:
        progress.note(data["text"])
    elif name == "mirror.building":
        progress.note("building the package mirror of the twin (once)")


def _summary(assessment: Assessment, page: str) -> list[str]:
    lines = [
        "",
        *(f"injected  {line}" for line in assessment.injected),
        *(f"found     {line}" for line in assessment.found),
    ]
    return [*lines, "", *assessment.sentences, f"Report: {page}"]
