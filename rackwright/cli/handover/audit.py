"""``rackwright audit SITE``: proves by its hash chain that the ledger is what was written.

Rows that were changed, removed, added or moved are named. That the end of the ledger was not cut off is proven by the heads of its chain
in the evidence and in the bundles of the workspace; ``--bundle`` names further ones, which are best kept elsewhere. Exits 1 if something
was changed.
"""

from __future__ import annotations

import argparse
import os
from contextlib import closing
from pathlib import Path

from rackwright.base.errors import ExitCode, ProblemsError, UsageError
from rackwright.base.workspace import Workspace
from rackwright.cli import output, site
from rackwright.cli.accept.evidence_options import evidence_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, the workspace, and where heads of the ledger are sealed."""
    site.add_site(parser)
    site.add_work(parser)
    parser.add_argument("--evidence", metavar="DIR", help="evidence store (default: the one of this site)")
    parser.add_argument(
        "--bundle",
        metavar="DIR",
        action="append",
        default=[],
        help="a signed bundle that must agree, too; may be repeated",
    )
    output.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Audit, and print what was proven."""
    from rackwright import attest, collect
    from rackwright.flow import sealed_heads
    from rackwright.ledger import Ledger

    work = site.workspace(args, site.load(args).site)
    _require_ledger(work)
    bundles = [
        *map(Path, args.bundle),
        *sorted(path for path in work.path.glob("handover/[!.]*") if attest.envelope_of(path)),
    ]
    store = collect.Store(evidence_folder(args, work))
    if problems := list(sealed_heads.changed_runs(store)):
        raise ProblemsError(problems)
    of_bundles = sealed_heads.of_bundles(bundles)
    of_evidence = sealed_heads.of_evidence(store, store.runs())
    with closing(Ledger(site.ledger_url(work))) as ledger:
        audited = ledger.audit([*of_bundles, *of_evidence])
    if audited.problems:
        raise ProblemsError(audited.problems)
    if args.format == "json":
        head = audited.head.model_dump() if audited.head else None
        counts = {
            "links": audited.links,
            "rows": audited.rows,
            "evidence": len(of_evidence),
            "bundles": len(of_bundles),
        }
        output.emit({**counts, "head": head, "problems": []})
    else:
        output.print_lines(
            [
                f"{audited.rows} rows in {audited.links} links are as they were written",
                f"{len(of_evidence)} heads sealed in evidence and {len(of_bundles)} sealed in bundles stand in the chain",
                f"head: link {audited.head.link}, {audited.head.hash}"
                if audited.head
                else "head: none, nothing was written",
            ]
        )
    return ExitCode.PASS


def _require_ledger(work: Workspace) -> None:
    if "RACKWRIGHT_LEDGER" not in os.environ and not (work.path / "ledger.db").is_file():
        raise UsageError(
            f"{work.path} holds no ledger: name the folder of the site with --work, or the database in RACKWRIGHT_LEDGER"
        )
