"""``rackwright mirror plan | sync | verify``: what an air-gapped site installs: listed, fetched, checked.

Exit 1 when
something cannot be had or is not what it should be.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rackwright.base.errors import ExitCode, ProblemsError, UsageError
from rackwright.cli import output, site
from rackwright.cli.progress import StepProgress
from rackwright.cli.provision import mirror_text

if TYPE_CHECKING:
    from rackwright import mirror
    from rackwright.model.software import Software

MOST_JOBS = 64
"""More at once is what content networks take for an attack."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The three verbs of the verb."""
    verbs = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    planning = verbs.add_parser("plan", help="what the nodes of a site will ask for, and where it comes from")
    site.add_site(planning)
    planning.add_argument("--to", metavar="DIR", help="say what this mirror has of it")
    syncing = verbs.add_parser("sync", help="fetch it, check it and publish it in a folder that a web server hands out")
    site.add_site(syncing)
    syncing.add_argument("--to", metavar="DIR", required=True, help="folder of the mirror")
    _add_sync(syncing)
    for one in (planning, syncing):
        _add_upstreams(one)
    verifying = verbs.add_parser("verify", help="check every digest, signature and index of a mirror")
    verifying.add_argument("folder", metavar="DIR", help="folder of the mirror")
    verifying.add_argument("--site", metavar="SITE", help="and that it has everything this site will ask for")
    for one in (planning, syncing, verifying):
        output.add_format(one)


def run(args: argparse.Namespace) -> int:
    """Plan, sync or verify."""
    return {"plan": _plan, "sync": _sync, "verify": _verify}[args.action](args)


def _add_upstreams(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--upstream", metavar="NAME=URL", action="append", default=[],
        help="another place for an upstream: a URL, or as in a sources.list 'NAME=URL SUITE COMPONENT...'",
    )  # fmt: skip
    parser.add_argument("--upstreams", metavar="FILE", help="a file of upstreams instead of the built-in one")
    parser.add_argument("--files", metavar="DIR", help="folder of vendor files that a person fetched (.run, .tar.gz)")


def _add_sync(parser: argparse.ArgumentParser) -> None:
    from rackwright.mirror.order import JOBS

    parser.add_argument(
        "--key", metavar="NAME=FILE", action="append", default=[], help="key of an upstream, checked by you"
    )
    parser.add_argument(
        "--sign-key", metavar="KEY", default="",
        help="key of your gpg key ring that signs the mirror (default: one of its own, kept in DIR-secrets)",
    )  # fmt: skip
    parser.add_argument("--jobs", metavar="N", type=int, default=JOBS, help=f"files at once (default {JOBS})")
    parser.add_argument("--upgrade", action="store_true", help="take the newest that fits, not what is there already")
    parser.add_argument("--prune", action="store_true", help="remove files that nothing asks for any more")


def _plan(args: argparse.Namespace) -> int:
    from rackwright import mirror

    name, software, groups = _asked(args.site)
    to = Path(args.to) if args.to else None
    found = mirror.plan_mirror(software, groups, _upstreams(args), to, _folder(args.files))
    if args.format == "json":
        output.emit({"site": name, "missing": found.missing, **found.model_dump(mode="json")})
    else:
        mirror_text.plan(found, looked=to is not None)
    return ExitCode.PASS


def _sync(args: argparse.Namespace) -> int:
    from rackwright import mirror

    if not 1 <= args.jobs <= MOST_JOBS:
        raise UsageError(f"--jobs {args.jobs}: give 1 to {MOST_JOBS}")
    name, software, groups = _asked(args.site)
    keys = {upstream: Path(path) for upstream, path in _pairs("--key", args.key).items()}
    order = mirror.SyncOptions(
        Path(args.to), _upstreams(args), keys, _folder(args.files), args.sign_key, args.jobs, args.upgrade, args.prune
    )
    unknown = sorted(keys.keys() - {one.name for one in order.upstreams.upstreams})
    if unknown:
        raise UsageError(f"--key {unknown[0]}=...: no such upstream; `rackwright mirror plan` lists them")
    with StepProgress([], quiet=args.format == "json") as progress:
        found = mirror.sync_mirror(name, software, groups, order, _shown(progress), datetime.now(UTC))
    if args.format == "json":
        output.emit({"site": name, "folder": args.to, **mirror_text.synced_data(found)})
    else:
        mirror_text.synced(found, order)
    return ExitCode.PASS


def _verify(args: argparse.Namespace) -> int:
    from rackwright import mirror

    groups: Sequence[mirror.NodeGroup] = ()
    places = None
    if args.site:
        _, software, groups = _asked(args.site)
        places = mirror.MirrorPaths(mirror.load_upstreams(), None, software.apt_mirror, software.file_mirror)
    with StepProgress([], quiet=args.format == "json") as progress:
        found = mirror.verify_mirror(Path(args.folder), groups, places, _shown(progress))
    if args.format == "json":
        problems = [one.as_dict() for one in found.problems]
        output.emit({"folder": args.folder, "files": found.files, "bytes": found.bytes, "problems": problems})
    elif found.problems:
        output.error(ProblemsError(found.problems), as_json=False)
    else:
        asked = f", and it has everything that {args.site} asks for" if args.site else ""
        print(f"{args.folder}: {found.files:,} files, {found.bytes / 1e9:.2f} GB, all as the lock says{asked}")
    return ExitCode.PROBLEMS if found.problems else ExitCode.PASS


def _asked(path: str) -> tuple[str, Software, list[mirror.NodeGroup]]:
    """The site's name, its software, and what its nodes will ask for, by node class."""
    from rackwright import mirror
    from rackwright.onboard.wanted import required_software

    design = site.expand(site.load(argparse.Namespace(site=path)))
    software = design.site.software
    return design.site.site, software, mirror.group_required(required_software(design), software.bill)


def _upstreams(args: argparse.Namespace) -> mirror.Upstreams:
    from rackwright import mirror

    known = mirror.load_upstreams(Path(args.upstreams) if args.upstreams else None)
    return mirror.override_urls(known, _pairs("--upstream", args.upstream))


def _pairs(option: str, given: Sequence[str]) -> dict[str, str]:
    """``NAME=VALUE`` options as a mapping; UsageError for one that is none."""
    pairs = {}
    for one in given:
        name, sign, value = one.partition("=")
        if not (name and sign and value.strip()):
            raise UsageError(f"{option} {one}: write NAME=VALUE, as {option} cuda={'/root/cuda.asc' if option == '--key' else 'https://repo.example/cuda'}")  # fmt: skip
        pairs[name] = value.strip()
    return pairs


def _folder(path: str | None) -> Path | None:
    if path is None:
        return None
    if not Path(path).is_dir():
        raise UsageError(f"--files {path}: no such folder")
    return Path(path)


def _shown(progress: StepProgress) -> mirror.OnEvent:
    """Events of a sync or a check, as steps of the terminal."""

    def show(event: str, data: dict[str, Any]) -> None:
        if event == "mirror.reading":
            progress.note(f"reading {data['upstream']} {data['url']}")
        elif event in {"mirror.due", "mirror.verify"}:
            progress.start("fetch" if event == "mirror.due" else "verify", int(data["files"]))
        elif event == "mirror.file":
            progress.advance(str(data["name"]))

    return show
