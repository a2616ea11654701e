"""Opens a rehearsal run: a new one, or the interrupted one that ``--resume`` continues."""

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
from rackwright.flow import platform_record
from rackwright.ledger import Ledger
from rackwright.ledger.records import Run
from rackwright.spec import LoadedSite
from rackwright.twin import faults

KIND = "rehearse"


@dataclass(frozen=True)
class RehearsalRun:
    """A rehearsal run, new or resumed."""

    ledger: Ledger
    workspace: Workspace
    run: str
    """Id in the ledger."""
    nodes: str
    """Value of ``--nodes`` when the run began."""
    faults: tuple[str, ...]
    resumed: bool


@contextmanager
def open_rehearsal(args: argparse.Namespace, loaded: LoadedSite) -> Iterator[RehearsalRun]:
    """The run, locked against other rehearsals in this workspace. Raises UsageError if it cannot be opened.

    A new run abandons an unfinished one and forgets what was provisioned on the machines of an earlier twin.
    """
    workspace = site.claim_workspace(args, loaded.site, twin=True)
    with _workspace_lock(workspace, loaded.site.site):
        ledger = Ledger(site.ledger_url(workspace))
        try:
            rehearsal = (
                _resumed(args, loaded, ledger, workspace)
                if args.resume
                else _begin_rehearsal(args, loaded, ledger, workspace)
            )
            with _discarded_when_refused(rehearsal):
                yield rehearsal
        finally:
            ledger.close()


@contextmanager
def _discarded_when_refused(rehearsal: RehearsalRun) -> Iterator[None]:
    """Marks a new run as refused on a UsageError: it has done nothing, so it cannot be resumed."""
    try:
        yield
    except UsageError:
        if not rehearsal.resumed:
            rehearsal.ledger.finish(rehearsal.run, "refused")
        raise


def fault_names(args: argparse.Namespace) -> list[str]:
    """The faults that the command line requests."""
    return [] if args.no_faults else list(args.fault or faults.DEFAULT)


def _begin_rehearsal(
    args: argparse.Namespace, loaded: LoadedSite, ledger: Ledger, workspace: Workspace
) -> RehearsalRun:
    last = ledger.unfinished(loaded.site.site, KIND)
    if last is not None:
        ledger.finish(last.id, "abandoned")
    shutil.rmtree(workspace.path / "pulumi", ignore_errors=True)  # it describes machines that are gone
    platform_record.forget(workspace)
    nodes, names = args.nodes or str(site.DEFAULT_NODES), fault_names(args)
    run = ledger.begin(loaded.site.site, KIND, {"nodes": nodes, "faults": names}, site_sha256=site.digest(loaded))
    return RehearsalRun(ledger, workspace, run, nodes, tuple(names), resumed=False)


def _resumed(args: argparse.Namespace, loaded: LoadedSite, ledger: Ledger, workspace: Workspace) -> RehearsalRun:
    last = ledger.unfinished(loaded.site.site, KIND)
    if last is None:
        raise UsageError(f"no interrupted rehearsal of {loaded.site.site} is in {workspace.path}: run without --resume")
    if last.site_sha256 != site.digest(loaded):
        raise UsageError(f"{loaded.path} has changed since the interrupted rehearsal: run without --resume")
    _refuse_changes(args, last)
    return RehearsalRun(ledger, workspace, last.id, last.options["nodes"], tuple(last.options["faults"]), resumed=True)


def _refuse_changes(args: argparse.Namespace, last: Run) -> None:
    """UsageError if a resumed run is requested with other nodes or faults than it has."""
    requested: dict[str, Any] = {"--nodes": args.nodes or last.options["nodes"]}
    had: dict[str, Any] = {"--nodes": last.options["nodes"]}
    if args.fault or args.no_faults:
        requested["faults"], had["faults"] = ", ".join(fault_names(args)), ", ".join(last.options["faults"])
    for what, value in requested.items():
        if value != had[what]:
            raise UsageError(
                f"the interrupted rehearsal has {what} {had[what] or 'none'}, not {value or 'none'}: "
                "give --resume alone to go on with it, or run without --resume"
            )


@contextmanager
def _workspace_lock(workspace: Workspace, name: str) -> Iterator[None]:
    busy = f"another rehearsal of {name} is running in {workspace.path}: wait for it, or give another --work"
    lock = file_lock.take_lock(workspace.path / "rehearsal.lock", busy)
    try:
        yield
    finally:
        os.close(lock)
