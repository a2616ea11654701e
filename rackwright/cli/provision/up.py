"""``rackwright up SITE``: brings the machines of a site into the Pulumi stack, and prints what was done to each."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from rackwright.base.errors import ExitCode
from rackwright.cli import output, site, site_job

if TYPE_CHECKING:
    from rackwright.provision.result import MachineResult, UpResult, Verb

VERBS: dict[Verb, str] = {
    "preview": "print what would be done, and do nothing",
    "refresh": "read the machines again and record what changed",
    "destroy": "forget the machines; they are left running as they are",
}
DONE = {
    "up": "adopted {created}, updated {updated}, unchanged {same}, failed {failed}",
    "preview": "would adopt {created}, update {updated}, leave {same}; {failed} failed",
    "refresh": "read {same} as recorded, {updated} changed, {failed} failed",
    "destroy": "forgot {deleted}, left running as they are; {failed} failed",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, the machines, and what to do instead of bringing them up."""
    site.add_site(parser)
    site.add_nodes(parser)
    site.add_work(parser)
    verbs = parser.add_mutually_exclusive_group()
    for verb, meaning in VERBS.items():
        verbs.add_argument(f"--{verb}", dest="verb", action="store_const", const=verb, default="up", help=meaning)
    output.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Load, expand, run the engine, print; 1 if a machine failed or differs from the design."""
    from rackwright.flow import pipeline  # the engine's SDK takes a third of a second that a wrong call need not wait

    with site_job.job(args, "up", verb=args.verb) as job:
        result = pipeline.provision(job, args.verb)
    _print(result, args.format)
    wrong = any(machine.mismatches for machine in result.machines.values())
    return ExitCode.PASS if result.good and not wrong else ExitCode.PROBLEMS


def _print(result: UpResult, form: str) -> None:
    if form == "json":
        output.emit(result.as_dict())
        return
    for machine in result.machines.values():
        for line in _lines(machine):
            print(line)
    for text in result.diagnostics:
        print(f"engine: {text}")
    print(f"{result.stack}: {DONE[result.verb].format(**result.counts)} ({result.seconds:.1f} s)")


def _lines(machine: MachineResult) -> list[str]:
    lines = [f"{machine.name}: {text}" for text in (*machine.changes, *machine.mismatches)]
    if machine.outcome in {"failed", "skipped"}:
        lines.append(f"{machine.name}: {machine.outcome}{': ' if machine.error else ''}{machine.error}")
    return lines
