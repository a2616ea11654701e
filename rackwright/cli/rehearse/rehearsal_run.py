"""Which rehearsal this is: a new one, or the interrupted one that ``--resume`` goes on with."""

from __future__ import annotations

import argparse
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from rackwright.base import file_lock
from rackwright.base.errors import UsageError
from rackwright.base.workspace import Workspace
from rackwright.cli import site
from rackwright.ledger import Ledger
from rackwright.ledger.records import Run
from rackwright.spec import LoadedSite
from rackwright.twin import faults

KIND = "rehearse"


@dataclass(frozen=True)
class Rehearsal:
    """One run of the rehearsal, new or resumed."""

    ledger: Ledger
    workspace: Workspace
    run: str
    """Id in the ledger."""
    nodes: str
    """What ``--nodes`` was when the run began."""
    faults: tuple[str, ...]
    resumed: bool


@contextmanager
def opened(args: argparse.Namespace, loaded: LoadedSite) -> Iterator[Rehearsal]:
    """The run to do, for as long as nobody else rehearses in this workspace; UsageError when it cannot be had.

    A new run sets an unfinished one aside and forgets what was provisioned on the machines of an earlier twin.
    """
    workspace = site.workspace(args, loaded.site, twin=True)
    workspace.claim("twin")
    with _alone(workspace, loaded.site.site):
        ledger = Ledger(site.ledger_url(workspace))
        try:
            found = (
                _resumed(args, loaded, ledger, workspace) if args.resume else _begun(args, loaded, ledger, workspace)
            )
            with _refused(found):
                yield found
        finally:
            ledger.close()


@contextmanager
def _refused(found: Rehearsal) -> Iterator[None]:
    """A new run that was called wrongly has done nothing, so there is nothing to resume."""
    try:
        yield
    except UsageError:
        if not found.resumed:
            found.ledger.finish(found.run, "refused")
        raise


def fault_names(args: argparse.Namespace) -> list[str]:
    """The faults that the command line asks for."""
    return [] if args.no_faults else list(args.fault or faults.DEFAULT)


def _begun(args: argparse.Namespace, loaded: LoadedSite, ledger: Ledger, workspace: Workspace) -> Rehearsal:
    last = ledger.unfinished(loaded.site.site, KIND)
    if last is not None:
        ledger.finish(last.id, "abandoned")
    shutil.rmtree(workspace.path / "pulumi", ignore_errors=True)  # it describes machines that are gone
    nodes, names = args.nodes or str(site.DEFAULT_NODES), fault_names(args)
    run = ledger.begin(loaded.site.site, KIND, {"nodes": nodes, "faults": names}, site_sha256=site.digest(loaded))
    return Rehearsal(ledger, workspace, run, nodes, tuple(names), resumed=False)


def _resumed(args: argparse.Namespace, loaded: LoadedSite, ledger: Ledger, workspace: Workspace) -> Rehearsal:
    last = ledger.unfinished(loaded.site.site, KIND)
    if last is None:
        raise UsageError(f"no interrupted rehearsal of {loaded.site.site} is in {workspace.path}: run without --resume")
    if last.site_sha256 != site.digest(loaded):
        raise UsageError(f"{loaded.path} has changed since the interrupted rehearsal: run without --resume")
    _refuse_others(args, last)
    return Rehearsal(ledger, workspace, last.id, last.options["nodes"], tuple(last.options["faults"]), resumed=True)


def _refuse_others(args: argparse.Namespace, last: Run) -> None:
    """A resumed run keeps its nodes and faults; asking for others is a mistake that must not pass unseen."""
    wanted: dict[str, Any] = {"--nodes": args.nodes or last.options["nodes"]}
    had: dict[str, Any] = {"--nodes": last.options["nodes"]}
    if args.fault or args.no_faults:
        wanted["faults"], had["faults"] = ", ".join(fault_names(args)), ", ".join(last.options["faults"])
    for what, value in wanted.items():
        if value != had[what]:
            raise UsageError(
                f"the interrupted rehearsal has {what} {had[what] or 'none'}, not {value or 'none'}: "
                "give --resume alone to go on with it, or run without --resume"
            )


@contextmanager
def _alone(workspace: Workspace, name: str) -> Iterator[None]:
    busy = f"another rehearsal of {name} is running in {workspace.path}: wait for it, or give another --work"
    lock = file_lock.take_lock(workspace.path / "rehearsal.lock", busy)
    try:
        yield
    finally:
        os.close(lock)
