"""The argument SITE and what every verb that takes it needs: the loaded site, its design, its workspace, its nodes."""

from __future__ import annotations

import argparse
import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from rackwright import design, spec
from rackwright.base.errors import ProblemsError, UsageError
from rackwright.base.workspace import Workspace, default_workspace
from rackwright.model.site import Site

if TYPE_CHECKING:
    from rackwright.model.design import Design

DEFAULT_NODES = 8
"""How many accelerator nodes a rehearsal brings up when it is not told."""
MOST_DIGITS = 9
"""Longer numbers are no number of nodes, and Python refuses to read very long ones."""


def add_site(parser: argparse.ArgumentParser) -> None:
    """The positional SITE."""
    parser.add_argument("site", metavar="SITE", help="a site file, or the folder that holds site.yaml")


def add_work(parser: argparse.ArgumentParser) -> None:
    """``--work``, for verbs that keep what they do."""
    parser.add_argument(
        "--work", metavar="DIR", help="where ledger, evidence and reports go (default .rackwright/NAME)"
    )


def add_nodes(parser: argparse.ArgumentParser, default: str = "") -> None:
    """``--nodes``, for verbs that act on machines."""
    meaning = "the first N accelerator nodes with the control servers, or names with commas"
    parser.add_argument("--nodes", metavar="N|NAMES", default=default, help=f"{meaning} (default {default or 'all'})")


def load(args: argparse.Namespace) -> spec.LoadedSite:
    """The site that SITE names."""
    return spec.load(Path(args.site))


def plan(loaded: spec.LoadedSite) -> design.DesignPlan:
    """The plan of a loaded site: enough to know that it can be built, without the tables."""
    try:
        return design.plan_site(loaded.site, loaded.catalog)
    except ProblemsError as error:
        raise loaded.located(error.problems) from error


def expand(loaded: spec.LoadedSite) -> Design:
    """The design of a loaded site; a problem of the design gets the line of the site file it comes from."""
    try:
        return design.expand(loaded.site, loaded.catalog)
    except ProblemsError as error:
        raise loaded.located(error.problems) from error


def workspace(args: argparse.Namespace, site: Site, *, twin: bool | None = None) -> Workspace:
    """The folder of this site: ``--work`` or ``.rackwright/<site>``, and ``rehearsal`` in it when the machines are a twin's.

    `twin` is None for whatever this process is inside of.
    """
    from rackwright.twin.hosts import namespaces

    work = getattr(args, "work", None)
    if work:
        return Workspace(Path(work))
    return default_workspace(site.site, twin=namespaces.inside(os.environ) if twin is None else twin)


def claimed(args: argparse.Namespace, site: Site) -> Workspace:
    """`workspace`, for verbs that act on machines: it is about the real ones or about a twin's, never both."""
    from rackwright.twin.hosts import namespaces

    found = workspace(args, site)
    found.claim("twin" if namespaces.inside(os.environ) else "site")
    return found


def digest(loaded: spec.LoadedSite) -> str:
    """SHA-256 of the site file: what a run in the ledger was started with."""
    return hashlib.sha256(loaded.path.read_bytes()).hexdigest()


def ledger_url(workspace: Workspace) -> str:
    """The ledger: the database that ``RACKWRIGHT_LEDGER`` names (PostgreSQL for a team), else SQLite in the workspace."""
    return os.environ.get("RACKWRIGHT_LEDGER") or workspace.ledger_url


def nodes(args: argparse.Namespace, made: Design) -> list[str]:
    """The machines that ``--nodes`` means, in design order.

    N: the first N accelerator nodes, every Slurm controller and the first UFM server. Names: exactly those.
    """
    wanted = str(getattr(args, "nodes", None) or "").strip()
    known = [node.name for node in made.nodes()]
    if not wanted:
        return known
    if wanted.isdecimal():
        return _first(wanted, made)
    names = [name.strip() for name in wanted.split(",") if name.strip()]
    unknown = [name for name in names if name not in known]
    if unknown or not names:
        raise UsageError(f"--nodes {wanted}: {_unknown(unknown, known)}")
    return [name for name in known if name in names]


def _first(wanted: str, made: Design) -> list[str]:
    accelerators = [node.name for node in made.nodes("accelerator")]
    count = int(wanted) if len(wanted) <= MOST_DIGITS else 0
    if not 1 <= count <= len(accelerators):
        raise UsageError(f"--nodes {wanted}: the site has {len(accelerators)} nodes; give 1 to {len(accelerators)}")
    control = [node.name for node in made.nodes("slurm")] + [node.name for node in made.nodes("ufm")][:1]
    return accelerators[:count] + control


def _unknown(unknown: list[str], known: list[str]) -> str:
    from rackwright.spec.fields import nearest

    if not unknown:
        return f"no name was given; nodes are called {known[0]} to {known[-1]}"
    guess = nearest(unknown[0], known)
    hint = f"did you mean {guess}?" if guess else f"nodes are called {known[0]} to {known[-1]}"
    return f"the site has no node {', '.join(unknown)}; {hint}"
