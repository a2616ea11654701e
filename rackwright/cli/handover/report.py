"""``rackwright report SITE``: writes the handover report of the last run again."""

from __future__ import annotations

import argparse
from pathlib import Path

from rackwright.base.errors import ExitCode, UsageError
from rackwright.cli import output, site
from rackwright.cli.handover import attest


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, the workspace, where to write, and the output format."""
    site.add_site(parser)
    site.add_work(parser)
    parser.add_argument("--out", metavar="DIR", help="folder to write to (default: report/ of the workspace)")
    attest.add_sign(parser)
    output.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Read the data of the last run, write page, JSON and JUnit, and print their folder."""
    from rackwright.report import data, files

    loaded = site.load(args)
    declared = loaded.site
    signer = attest.chosen_signer(args) if args.sign else None
    folder = site.workspace(args, declared).path / "report"
    report = data.load_report(folder)
    if report.run.site != declared.site:
        raise UsageError(
            f"{folder} holds the report of site {report.run.site}, not of {declared.site}; name another folder with --work"
        )
    page = files.write(report, Path(args.out) if args.out else folder)
    bundle = attest.sign_bundle(args, loaded, signer) if signer is not None else None
    if args.format == "json":
        output.emit(data.plain(report))
    else:
        output.print_lines([report.result.headline, page])
        if bundle is not None and signer is not None:
            output.print_lines(attest.bundle_lines(bundle, signer))
    return ExitCode.PASS
