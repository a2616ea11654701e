"""``rackwright size``: works backwards from a number of accelerators to a site file that passes every design rule.

Prints the file, or JSON (``site`` with the text, ``totals``, ``notes``), or writes it with ``--out``. It never prints a file
that ``rackwright check`` or a design rule would refuse: exit 1 names the obstacle.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from rackwright.base.durable_file import replace_file
from rackwright.base.errors import ExitCode, OutsideError, Problem, ProblemsError, UsageError
from rackwright.cli import output, site
from rackwright.model.software import Bill, OperatingSystem
from rackwright.model.verdict import Outcome, Verdict

if TYPE_CHECKING:
    from rackwright.catalog import Catalog
    from rackwright.design.sizing import Sized, SizeRequest

NAME = r"[a-z][a-z0-9-]{0,30}"
"""The schema's pattern of every name."""
VERSIONS = sorted(Bill.model_fields.keys() - {"images", "options", "os"})
MOST = 100_000_000
"""A larger number of accelerators is a typing error."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The number of accelerators, server and fabric; everything else has defaults."""
    parser.add_argument("--accelerators", type=int, required=True, metavar="N", help="minimum number of accelerators")
    parser.add_argument("--server", required=True, metavar="SKU", help="server of the catalog (dgx-h100)")
    parser.add_argument("--fabric", required=True, metavar="NAME", help="compute fabric (ndr-rail, roce-rail ...)")
    parser.add_argument("--storage", choices=["good", "better", "best"], default="better", help="storage guideline")
    parser.add_argument(
        "--scheduler", choices=["slurm", "kubernetes", "none"], default="slurm", help="scheduler of the pool"
    )
    parser.add_argument(
        "--os",
        choices=get_args(OperatingSystem),
        help="operating system of the nodes (default: the first that the makers of the hardware support, else debian-12)",
    )
    parser.add_argument(
        "--version",
        metavar="FIELD=VERSION",
        action="append",
        default=[],
        help="a version that was tested, in the place of the reference (driver=580.173.02); may be repeated",
    )
    parser.add_argument(
        "--site-folder", metavar="FOLDER", help="a site folder beside the site file, with parts of your own"
    )
    parser.add_argument("--name", metavar="SITE", help="name of the site (default: server and number of accelerators)")
    parser.add_argument("--racks-per-row", type=int, metavar="N", help="racks per row (default: full units, up to 20)")
    parser.add_argument("--hall-kw", type=int, metavar="KW", help="maximum IT load of a hall (default 20000)")
    parser.add_argument("--ufm", action="store_true", help="reserve ports for UFM; full units become smaller")
    parser.add_argument("--out", metavar="FILE", help="write the site file here instead of printing it")
    output.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Size the site, load the resulting text again as a check, and print it."""
    from rackwright import catalog
    from rackwright.design import sizing  # heavy; --help does not need it
    from rackwright.spec import site_folder

    folder = _folder(args)
    parts = site_folder.read(folder) if folder else catalog.load()
    sized = _with_calibration(sizing.size_site(_request(args, parts), parts), parts)
    text = sizing.site_text(sized)
    _read_back(text, sized, folder)
    if args.out:
        _write(Path(args.out), text)
    if args.format == "json":
        output.emit({"site": text, "totals": sized.design.totals, "notes": sized.notes})
    elif args.out:
        output.print_lines([f"{args.out}: written", *sized.notes])
    else:
        print(text, end="")
    return ExitCode.PASS


def _with_calibration(sized: Sized, parts: Catalog) -> Sized:
    """`sized` with a declared calibration for each server without published limits for every check."""
    from rackwright.design import sizing
    from rackwright.flow import unpublished_limits

    plan = sized.design.site
    for server, checks in unpublished_limits.of_site(plan, parts, datetime.now(UTC)).items():
        if terms := unpublished_limits.terms(plan, server):
            sized = sizing.with_calibration(sized, terms, checks)
        else:
            sized = replace(sized, notes=[*sized.notes, *unpublished_limits.advice(plan, {server: checks})])
    return sized


def _request(args: argparse.Namespace, parts: Catalog) -> SizeRequest:
    from rackwright.design import sizing
    from rackwright.design.sizing.knobs import presets

    servers = [server.sku for server in parts.servers.values() if server.accelerators]
    _check_server(args.server, servers, parts, args.accelerators)
    _check_name("--fabric", args.fabric, presets())
    if args.name is not None and not re.fullmatch(NAME, args.name):
        raise UsageError(f"--name {args.name}: a name has small letters, digits and hyphens, and begins with a letter")
    for option, value in (
        ("--accelerators", args.accelerators),
        ("--racks-per-row", args.racks_per_row),
        ("--hall-kw", args.hall_kw),
    ):
        if value is not None and not 1 <= value <= MOST:
            raise UsageError(f"{option} {value}: give a number from 1 to {MOST:,}")
    return sizing.SizeRequest(
        accelerators=args.accelerators,
        server=args.server,
        fabric=args.fabric,
        storage=args.storage,
        scheduler=args.scheduler,
        site=args.name or "",
        racks_per_row=args.racks_per_row,
        hall_kw=args.hall_kw,
        ufm=args.ufm,
        system=args.os,
        versions=dict(_version(text) for text in args.version),
        site_folder=Path(args.site_folder).resolve().name if args.site_folder else "",
    )


def _folder(args: argparse.Namespace) -> Path | None:
    """The site folder, None without the option. UsageError if it does not exist, or if the site file would not be beside it."""
    if not args.site_folder:
        return None
    folder = Path(args.site_folder).resolve()
    if not folder.is_dir():
        raise UsageError(f"--site-folder {args.site_folder}: there is no such folder")
    if args.out and Path(args.out).resolve().parent != folder.parent:
        raise UsageError(f"--out {args.out}: a site file lies beside its folder; write it into {folder.parent}")
    return folder


def _version(text: str) -> tuple[str, str]:
    """(field, version) of FIELD=VERSION. UsageError for a field that the bill does not have."""
    name, equals, version = text.partition("=")
    _check_name("--version", name, VERSIONS)
    if not equals or not version:
        raise UsageError(f"--version {text}: write FIELD=VERSION, as in driver=580.173.02")
    return name, version


def _check_server(word: str, servers: Sequence[str], parts: Catalog, accelerators: int) -> None:
    """UsageError unless `word` is a server with accelerators; parts that `check` refuses with a specific reason are refused with the same reason.

    For rented slices the message contains the sized entry: they are added to a site that already has halls and fabrics.
    """
    from rackwright.spec.crosscheck.parts import unknown

    instance = parts.instances.get(word)
    if instance and instance.topologies and accelerators > 0:
        shape, count = instance.slices_for(accelerators)
        zones = " or ".join(instance.zones)
        raise UsageError(
            f"--server {word}: it is an instance of a cloud and no server; add to the site file: slices: [{{name: tpu, instance: {word}, topology: {shape}, "
            f"count: {count}, zone: ZONE}}] with {zones} for ZONE"
        )
    for problem in unknown("--server", word, "server", servers, parts):
        if problem.code in ("spec.rented", "spec.unpublished", "spec.wrong_kind"):
            raise UsageError(f"--server {word}: {problem.message}; {problem.next_step}")
    _check_name("--server", word, servers)


def _check_name(option: str, word: str, names: Iterable[str]) -> None:
    from rackwright.spec.fields import nearest_word

    words = list(names)
    if word in words:
        return
    guess = nearest_word(word, words)
    hint = f"did you mean {guess}? " if guess else ""
    raise UsageError(f"{option} {word}: unknown; {hint}there are {', '.join(sorted(words))}")


def _read_back(text: str, sized: Sized, site_folder: Path | None) -> None:
    """Load, check and design the printed text like any other site file; it must equal the sized site. Raises `ProblemsError`."""
    from rackwright import design, spec

    name = sized.frame.ask.site
    try:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "site.yaml"
            file.write_text(text, encoding="utf-8")
            if site_folder:
                (Path(folder) / site_folder.name).symlink_to(site_folder)
            loaded = spec.load(file)
            expanded = site.expand(loaded)
            site.check_walk(loaded, expanded)
    except ProblemsError as error:
        raise ProblemsError(replace(problem, place=f"site {name}") for problem in error.problems) from error
    assert loaded.site == sized.design.site, "the site file says something else than was sized"
    if failed := [verdict for verdict in design.rules.run_rules(expanded) if verdict.outcome is Outcome.FAIL]:
        raise ProblemsError(_failed_rule(verdict, name) for verdict in failed)


def _failed_rule(verdict: Verdict, name: str) -> Problem:
    return Problem(
        place=f"site {name}",
        path=verdict.target,
        message=f"the sized site fails rule {verdict.check}: {verdict.says}",
        expected=verdict.expected,
        found=verdict.observed,
        next_step=verdict.next_step or "ask for another server, fabric or number",
        code="size.rule_failed",
    )


def _write(path: Path, text: str) -> None:
    try:
        replace_file(path, text)
    except OSError as error:
        raise OutsideError(f"{path} cannot be written: {error.strerror}; name another file with --out") from error
