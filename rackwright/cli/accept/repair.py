"""``rackwright repair SITE``: records a repair of a part, by serial, and prints what must pass again.

The gate uses it: a repaired part must pass the checks it failed, on evidence newer than the repair, and a part that was
repaired more often than ``validators/limits/repair.yaml`` allows must be replaced, on any node. This verb does nothing to a
machine.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

from rackwright import gate
from rackwright.base.errors import ExitCode, UsageError
from rackwright.base.workspace import Workspace
from rackwright.cli import output, site
from rackwright.collect import Store
from rackwright.collect.store.closing_entries import seal_repair
from rackwright.flow import sealed_history
from rackwright.ledger import Ledger
from rackwright.model.repair import Action, PartEvent
from rackwright.model.times import minute_text
from rackwright.spec import LoadedSite
from rackwright.twin.hosts import namespaces

MACHINE = "bmc"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, the part and the repair, or ``--list``."""
    site.add_site(parser)
    site.add_work(parser)
    parser.add_argument("--node", metavar="NAME", help="the node that holds or held the part")
    parser.add_argument("--serial", metavar="SERIAL", help="the part (default: the machine itself)")
    parser.add_argument("--action", choices=get_args(Action), help="what was done; `clear` forgets the part's history")
    parser.add_argument("--check", metavar="ID", default="", help="the check that failed (default: all open failures)")
    parser.add_argument("--by", metavar="PERSON", help="who did it")
    parser.add_argument("--note", metavar="TEXT", default="", help="a note; required for `clear`")
    parser.add_argument("--at", metavar="TIME", help="when it was done, ISO time (default: now)")
    parser.add_argument(
        "--list", action="store_true", help="print the history of parts, optionally only of --node or --serial"
    )
    parser.add_argument(
        "--evidence", metavar="DIR", help="evidence store that holds the repairs (default: the one of this site)"
    )
    output.add_format(parser)


def now() -> str:
    """The current time in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def run(args: argparse.Namespace) -> int:
    """List, or record the repair and print what must pass again."""
    loaded = site.load(args)
    work = site.workspace(args, loaded.site)
    with _ledger(args, loaded, work) as (ledger, run_id, nodes):
        folder = Path(args.evidence) if args.evidence else work.folder("evidence")
        store = Store(folder, namespaces.twin_name(os.environ), ledger.head())
        history = sealed_history.part_events(
            ledger, run_id, sealed_history.read_history(store, store.runs()), sightings=True
        )
        if args.list:
            return _list(history, args)
        event = _event(args, history, nodes)
        header = {"site": loaded.site.site, "asked_by": run_id}
        seal_repair(store, header, event.model_dump(), datetime.fromisoformat(now()))
        ledger.record_parts(run_id, [event])
        open_checks = gate.open_failures(entry for entry in [*history, event] if entry.serial == event.serial)
    if args.format == "json":
        output.emit({"event": event.model_dump(), "must_pass_again": sorted(open_checks)})
    else:
        output.print_lines(
            [f"{event.place or event.node} (serial {event.serial}): {event.action} on {event.at}, by {event.by}"]
        )
        print(f"must pass again, on evidence newer than this: {', '.join(sorted(open_checks)) or 'nothing'}")
    return ExitCode.PASS


@contextmanager
def _ledger(args: argparse.Namespace, loaded: LoadedSite, work: Workspace) -> Iterator[tuple[Ledger, str, list[str]]]:
    """The ledger of the site, a run of this verb in it, and the names of the nodes."""
    nodes = [node.name for node in site.expand(loaded).nodes()]
    ledger = Ledger(site.ledger_url(work))
    try:
        run_id = ledger.begin(loaded.site.site, "repair", {"node": args.node}, site_sha256=site.digest(loaded))
        outcome = "failed"
        try:
            yield ledger, run_id, nodes
            outcome = "done"
        finally:
            ledger.finish(run_id, outcome)
    finally:
        ledger.close()


def _event(args: argparse.Namespace, history: Sequence[PartEvent], nodes: Sequence[str]) -> PartEvent:
    missing = [name for name in ("node", "action", "by") if not (getattr(args, name) or "").strip()]
    if args.action == "clear" and not args.note.strip():
        missing.append("note")
    if missing:
        raise UsageError(f"a repair needs {', '.join(f'--{name}' for name in missing)}")
    if args.node not in nodes:
        raise UsageError(f"the site has no node {args.node}; nodes are called {nodes[0]} to {nodes[-1]}")
    part = _part(args, history)
    return PartEvent(
        serial=part.serial, kind=part.kind, place=part.place, node=args.node, what="repaired", at=_repair_time(args.at),
        check=args.check, action=args.action, by=args.by, says=args.note,
    )  # fmt: skip


def _part(args: argparse.Namespace, history: Sequence[PartEvent]) -> PartEvent:
    """The part as last observed; an unknown serial is a typing error."""
    parts = {entry.serial: entry for entry in history if entry.node == args.node}
    if args.serial:
        mine = [entry for entry in history if entry.serial == args.serial]
        if mine:
            return mine[-1]
        hint = ", ".join(f"{entry.place or 'machine'} {entry.serial}" for entry in parts.values())
        hint = f"in {args.node} there was: {hint}" if hint else f"`rackwright gate` records the parts of {args.node}"
        raise UsageError(f"no part with the serial {args.serial} was ever observed; {hint}")
    machines = [entry for entry in parts.values() if entry.kind == MACHINE]
    if not machines:
        raise UsageError(
            f"the ledger does not know the serial of {args.node}: run `rackwright gate` first, or give --serial"
        )
    return machines[-1]


def _repair_time(text: str | None) -> str:
    if text is None:
        return now()
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(f"--at {text} is not an ISO time: write 2026-11-21T10:00") from None
    time = time if time.tzinfo else time.replace(tzinfo=UTC)
    if time > datetime.fromisoformat(now()):
        raise UsageError(f"--at {text} is in the future: record a repair after it was done")
    return time.astimezone(UTC).isoformat(timespec="seconds")


def _list(history: Sequence[PartEvent], args: argparse.Namespace) -> int:
    entries = [entry for entry in history if args.node in (None, entry.node) and args.serial in (None, entry.serial)]
    if not args.serial:
        serials = {entry.serial for entry in entries if entry.what != "seen"}
        entries = [entry for entry in entries if entry.serial in serials]
    if args.format == "json":
        output.emit({"events": [entry.model_dump() for entry in entries]})
        return ExitCode.PASS
    for entry in entries:
        did = f"{entry.action} by {entry.by}" if entry.what == "repaired" else entry.what
        what = " ".join(word for word in (did, entry.check, f"({entry.says})" if entry.says else "") if word)
        output.print_lines(
            [f"{minute_text(entry.time)}  {entry.serial:<20} {entry.node} {entry.place or 'machine'}: {what}"]
        )
    print(f"{len(entries)} event{'' if len(entries) == 1 else 's'}")
    return ExitCode.PASS
