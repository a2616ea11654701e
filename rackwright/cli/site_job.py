"""A verb that acts on a site, as a `Job`: watched on the terminal and written down in the ledger of the site.

The run is closed with what came of it, also when
an exception or Ctrl-C ends it.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from rackwright.cli import access, site
from rackwright.cli.progress import StepProgress
from rackwright.flow.job import Job
from rackwright.ledger import Ledger
from rackwright.twin.hosts import namespaces


def now() -> str:
    """The machine's own clock, as every job of ours reads it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@contextmanager
def job(args: argparse.Namespace, kind: str, **options: Any) -> Iterator[Job]:
    """The job of verb `kind`; `options` are written down with it. Raises what loading the site and its access raise."""
    loaded = site.load(args)
    way_in = access.from_site(loaded.site, near=loaded.path)
    design = site.expand(loaded)
    nodes = site.nodes(args, design)
    workspace = site.claimed(args, loaded.site)
    ledger = Ledger(site.ledger_url(workspace))
    run = ledger.begin(loaded.site.site, kind, {"nodes": args.nodes, **options}, site_sha256=site.digest(loaded))
    outcome = "failed"
    try:
        with StepProgress([], quiet=args.format == "json") as progress:
            yield Job(
                loaded.path, design, tuple(nodes), way_in, workspace, ledger, run, progress,
                # A verb that is called inside a twin: its handover says so, though nothing is compared.
                now=now, rehearsal={} if namespaces.inside(os.environ) else None,
            )  # fmt: skip
        outcome = "done"
    finally:
        ledger.finish(run, outcome)
        ledger.close()
