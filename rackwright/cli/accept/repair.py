"""``rackwright repair SITE``: writes down what was done to a part, by serial, and what must pass again before it counts.

The gate reads it: a repaired part must pass what it failed, on evidence newer than the repair, and a part that was repaired
more often than ``validators/limits/repair.yaml`` allows is to be replaced, on whatever node it is. Nothing is done to a
machine by this verb.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import get_args

from rackwright import gate
from rackwright.base.errors import ExitCode, UsageError
from rackwright.cli import output, site
from rackwright.ledger import Ledger
from rackwright.model.repair import Action, PartEvent

MACHINE = "bmc"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, the part and what was done to it, or ``--list``."""
    site.add_site(parser)
    site.add_work(parser)
    parser.add_argument("--node", metavar="NAME", help="the node that the part is or was in")
    parser.add_argument("--serial", metavar="SERIAL", help="the part (default: the machine itself)")
    parser.add_argument("--action", choices=get_args(Action), help="what was done; `clear` forgets the part's history")
    parser.add_argument("--check", metavar="ID", default="", help="the check that failed (default: all that are open)")
    parser.add_argument("--by", metavar="PERSON", help="who did it")
    parser.add_argument("--note", metavar="TEXT", default="", help="what else is to be known; `clear` needs it")
    parser.add_argument("--at", metavar="TIME", help="when it was done, ISO time (default: now)")
    parser.add_argument("--list", action="store_true", help="show the history of parts, of --node or --serial alone")
    output.add_format(parser)


def now() -> str:
    """This moment in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def run(args: argparse.Namespace) -> int:
    """List, or write down and say what is asked now."""
    with _ledger(args) as (ledger, run_id, nodes):
        known = ledger.part_events(run_id, sightings=True)
        if args.list:
            return _list(known, args)
        event = _event(args, known, nodes)
        ledger.record_parts(run_id, [event])
        asked = gate.open_failures(one for one in [*known, event] if one.serial == event.serial)
    if args.format == "json":
        output.emit({"event": event.model_dump(), "must_pass_again": sorted(asked)})
    else:
        print(f"{event.place or event.node} (serial {event.serial}): {event.action} on {event.at}, by {event.by}")
        print(f"must pass again, on evidence newer than this: {', '.join(sorted(asked)) or 'nothing'}")
    return ExitCode.PASS


@contextmanager
def _ledger(args: argparse.Namespace) -> Iterator[tuple[Ledger, str, list[str]]]:
    """The ledger of the site, a run of this verb in it, and the names of the nodes."""
    loaded = site.load(args)
    nodes = [node.name for node in site.expand(loaded).nodes()]
    ledger = Ledger(site.ledger_url(site.workspace(args, loaded.site)))
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


def _event(args: argparse.Namespace, known: Sequence[PartEvent], nodes: Sequence[str]) -> PartEvent:
    missing = [name for name in ("node", "action", "by") if not (getattr(args, name) or "").strip()]
    if args.action == "clear" and not args.note.strip():
        missing.append("note")
    if missing:
        raise UsageError(f"a repair needs {', '.join(f'--{name}' for name in missing)}")
    if args.node not in nodes:
        raise UsageError(f"the site has no node {args.node}; nodes are called {nodes[0]} to {nodes[-1]}")
    part = _part(args, known)
    return PartEvent(
        serial=part.serial, kind=part.kind, place=part.place, node=args.node, what="repaired", at=_moment(args.at),
        check=args.check, action=args.action, by=args.by, says=args.note,
    )  # fmt: skip


def _part(args: argparse.Namespace, known: Sequence[PartEvent]) -> PartEvent:
    """The part as it was last seen; a serial that nobody saw is a slip of the pen."""
    here = {one.serial: one for one in known if one.node == args.node}
    if args.serial:
        mine = [one for one in known if one.serial == args.serial]
        if mine:
            return mine[-1]
        told = ", ".join(f"{one.place or 'machine'} {one.serial}" for one in here.values())
        told = (
            f"in {args.node} there was: {told}" if told else f"`rackwright gate` writes down the parts of {args.node}"
        )
        raise UsageError(f"no part with the serial {args.serial} was ever seen; {told}")
    machines = [one for one in here.values() if one.kind == MACHINE]
    if not machines:
        raise UsageError(
            f"the ledger does not know the serial of {args.node}: run `rackwright gate` first, or give --serial"
        )
    return machines[-1]


def _moment(text: str | None) -> str:
    if text is None:
        return now()
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(f"--at {text} is no time: write 2026-11-21T10:00") from None
    found = found if found.tzinfo else found.replace(tzinfo=UTC)
    if found > datetime.fromisoformat(now()):
        raise UsageError(f"--at {text} lies ahead: a repair is written down when it was done")
    return found.astimezone(UTC).isoformat(timespec="seconds")


def _list(known: Sequence[PartEvent], args: argparse.Namespace) -> int:
    shown = [one for one in known if args.node in (None, one.node) and args.serial in (None, one.serial)]
    if not args.serial:
        told = {one.serial for one in shown if one.what != "seen"}
        shown = [one for one in shown if one.serial in told]
    if args.format == "json":
        output.emit({"events": [one.model_dump() for one in shown]})
        return ExitCode.PASS
    for one in shown:
        did = f"{one.action} by {one.by}" if one.what == "repaired" else one.what
        what = " ".join(word for word in (did, one.check, f"({one.says})" if one.says else "") if word)
        print(f"{one.at[:16]}  {one.serial:<20} {one.node} {one.place or 'machine'}: {what}")
    print(f"{len(shown)} event{'' if len(shown) == 1 else 's'}")
    return ExitCode.PASS
