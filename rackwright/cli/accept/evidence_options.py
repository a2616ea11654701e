"""The options that select the stored evidence of a verb."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from rackwright.base.errors import UsageError

if TYPE_CHECKING:
    from rackwright.base.workspace import Workspace
    from rackwright.flow.stored_evidence import Recalled
    from rackwright.model.check import Limits
    from rackwright.model.design import Design


def add_evidence(parser: argparse.ArgumentParser) -> None:
    """``--evidence``, ``--run`` and ``--as-of``."""
    parser.add_argument("--evidence", metavar="DIR", help="evidence store (default: the one of this site)")
    parser.add_argument("--run", metavar="ID", help="one run of the store (default: the newest readings of all runs)")
    parser.add_argument(
        "--as-of", metavar="TIME", help="ISO time from which the age of readings counts (default: of the newest run)"
    )


def recall_evidence(args: argparse.Namespace, design: Design, workspace: Workspace, limits: Limits) -> Recalled:
    """The evidence that the arguments select. Raises what `recall` raises, and UsageError for a malformed ``--as-of``."""
    from rackwright.flow.stored_evidence import recall  # heavy; --help does not need it

    return recall(evidence_folder(args, workspace), design, limits, run=args.run, as_of=as_of_time(args))


def evidence_folder(args: argparse.Namespace, workspace: Workspace) -> Path:
    """The evidence store that the arguments name."""
    return Path(args.evidence) if args.evidence else workspace.path / "evidence"


def as_of_time(args: argparse.Namespace) -> datetime | None:
    """The time in ``--as-of``; None without it."""
    if not args.as_of:
        return None
    try:
        time = datetime.fromisoformat(args.as_of)
    except ValueError:
        raise UsageError(f"--as-of {args.as_of}: expected an ISO time like 2026-11-21T12:00:00+00:00") from None
    return time if time.tzinfo else time.replace(tzinfo=UTC)
