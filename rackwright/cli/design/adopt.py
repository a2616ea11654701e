"""``rackwright adopt HOST...``: scans running nodes over SSH, read only, and drafts the site file that describes them.

Prints the file, or writes it with ``--out``; the report goes to standard error, or to JSON. Exit 1 when a host did not answer or is not as its peers:
the draft is written all the same.
"""

from __future__ import annotations

import argparse
import re
import shlex
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from rackwright.base.durable_file import replace_file
from rackwright.base.errors import ExitCode, OutsideError, UsageError
from rackwright.cli import output
from rackwright.cli.design import adopt_access
from rackwright.cli.progress import StepProgress

if TYPE_CHECKING:
    from rackwright.flow.adoption import Adoption

NAME = r"[a-z][a-z0-9-]{0,30}"
"""The schema's pattern of every name."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The hosts, the file, and the way to them."""
    parser.add_argument(
        "hosts", metavar="HOST", nargs="+", help="host names, or lists as Slurm writes them (train-[001-200])"
    )
    parser.add_argument("--out", metavar="FILE", help="write the site file here instead of printing it")
    parser.add_argument("--force", action="store_true", help="replace the file of --out if there is one")
    parser.add_argument("--name", default="adopted", metavar="SITE", help="name of the site (default adopted)")
    adopt_access.add_access(parser)
    output.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Ask the hosts, draft their site, print or write it, and report what could not be seen."""
    from rackwright.flow import adoption as flow
    from rackwright.flow.adopted_site import AdoptRequest
    from rackwright.model.hostlist import expand_hosts

    hosts = expand_hosts(args.hosts)
    _check(args)
    targets = adopt_access.targets(args, hosts)
    request = AdoptRequest(
        args.name, datetime.now(UTC).date().isoformat(), _command(args), adopt_access.ssh_fields(args, targets)
    )
    with StepProgress([], quiet=args.format == "json") as progress:
        progress.start("adopt", len(hosts))
        adoption = flow.adopt_hosts(
            targets,
            adopt_access.addresses(targets),
            request,
            lambda host, why: progress.advance(f"{host} {why or 'answered'}"),
        )
        answered = len(hosts) - len(adoption.grouping.silent)
        progress.end("adopt", "done" if adoption.complete else "failed", f"{answered} of {len(hosts)} hosts answered")
    _show(args, adoption)
    return ExitCode.PASS if adoption.complete else ExitCode.PROBLEMS


def _check(args: argparse.Namespace) -> None:
    """Raises UsageError before any host is queried."""
    if not re.fullmatch(NAME, args.name):
        raise UsageError(f"--name {args.name}: a name has small letters, digits and hyphens, and begins with a letter")
    if args.out and Path(args.out).is_dir():
        raise UsageError(f"--out {args.out}: this is a folder; name a file, {args.out}/site.yaml")
    if args.out and Path(args.out).exists() and not args.force:
        raise UsageError(f"--out {args.out}: the file exists; --force replaces it, or name another one")
    if args.out and not Path(args.out).absolute().parent.is_dir():
        raise UsageError(f"--out {args.out}: its folder does not exist; make it first")


def _command(args: argparse.Namespace) -> str:
    """The command line without the way to the hosts, for the head of the file."""
    return shlex.join(["rackwright", "adopt", *args.hosts]).replace("'", "")


def _show(args: argparse.Namespace, adoption: Adoption) -> None:
    import sys

    from rackwright.cli.design import adopt_text

    text = adoption.site.text if adoption.site else ""
    if args.out and text:
        _write(Path(args.out), text)
    if args.format == "json":
        output.emit(adopt_text.as_data(adoption))
        return
    if text and not args.out:
        print(text, end="")
    lines = list(adopt_text.report(adoption))
    if args.out and text:
        lines = [
            *lines,
            f"{args.out}: written; next: rackwright check {shlex.quote(args.out)}, then replace what is ASSUMED",
        ]
    elif not text:
        lines = [*lines, "No site file was drafted: no host is of a pool."]
    print("\n".join(lines), file=sys.stdout if args.out else sys.stderr)


def _write(path: Path, text: str) -> None:
    try:
        replace_file(path, text)
    except OSError as error:
        raise OutsideError(f"{path} cannot be written: {error.strerror}; name another file with --out") from error
