"""Which stored evidence a verb judges, and as of when: shared by ``judge``, ``gate`` and ``limits``.

In: arguments, a design, limits. Out: `Stored`. Without ``--run`` every node's newest reading of every collector counts, as
long as it is not too old beside the newest run; no clock is read, so that judging again later gives the same.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from rackwright.errors import UsageError

if TYPE_CHECKING:
    from rackwright.collect import Store
    from rackwright.model.check import Limits, NodeEvidence
    from rackwright.model.design import Design
    from rackwright.workspace import Workspace


@dataclass(frozen=True)
class Stored:
    """Evidence out of a store."""

    nodes: Mapping[str, NodeEvidence]
    runs: tuple[str, ...]
    """Ids of the runs that were looked at, oldest first."""
    as_of: datetime
    store: Store

    def heads(self) -> dict[str, str]:
        """Last hash of the chain of every run."""
        return {run: self.store.index(run).head for run in self.runs}


def add_evidence(parser: argparse.ArgumentParser) -> None:
    """``--evidence``, ``--run`` and ``--as-of``."""
    parser.add_argument("--evidence", metavar="DIR", help="evidence store (default: the one of this site)")
    parser.add_argument("--run", metavar="ID", help="one run of the store (default: the newest readings of all runs)")
    parser.add_argument(
        "--as-of", metavar="TIME", help="ISO time from which the age of readings counts (default: of the newest run)"
    )


def stored(args: argparse.Namespace, design: Design, workspace: Workspace, limits: Limits) -> Stored:
    """The evidence that the arguments mean.

    UsageError without evidence, of another site, or for an ``--as-of`` before the newest run; ProblemsError when it is not
    what was written.
    """
    from rackwright import collect, judge

    folder = Path(args.evidence) if args.evidence else workspace.path / "evidence"
    if not folder.is_dir():
        raise UsageError(f"{folder} holds no evidence: run `rackwright collect {args.site}` first, or name --evidence")
    store = collect.Store(folder)
    runs = (args.run,) if args.run else tuple(store.runs())
    as_of = _as_of(args.as_of, max((_taken(store, run) for run in runs), default=datetime.min.replace(tzinfo=UTC)))
    if args.run:
        seen = collect.load(store, args.run)
    else:
        seen = collect.load_merged(store, oldest=judge.oldest(design.site, limits, as_of) if runs else None)
    strangers = sorted(set(seen) - {node.name for node in design.nodes()})
    if strangers:
        raise UsageError(
            f"{folder} holds evidence of {', '.join(strangers)}, which site {design.site.site} does not have"
        )
    return Stored(seen, runs, as_of, store)


def _taken(store: Store, run: str) -> datetime:
    return datetime.fromisoformat(str(store.first(run)["taken"]))


def _as_of(asked: str | None, newest: datetime) -> datetime:
    if asked is None:
        return newest
    try:
        moment = datetime.fromisoformat(asked)
    except ValueError:
        raise UsageError(f"--as-of {asked}: expected an ISO time like 2026-11-21T12:00:00+00:00") from None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    if moment < newest:
        raise UsageError(f"--as-of {asked} lies before the newest run ({newest.isoformat()}): judge one run with --run")
    return moment
