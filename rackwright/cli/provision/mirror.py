"""``rackwright mirror plan | build | sync | verify``: lists, builds, fetches and checks what an air-gapped site installs.

Exits 1 if something is unavailable or invalid.
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
from rackwright.cli.provision import mirror_build, mirror_text
from rackwright.spec import site_lock
from rackwright.spec.load import site_file

if TYPE_CHECKING:
    from rackwright import mirror
    from rackwright.model.design import Design
    from rackwright.model.site import Site
    from rackwright.model.software import Software

CHART_FIELDS = {"chart", "repository", "digest", "unrendered"}
MOST_JOBS = 64
"""Content networks treat more parallel downloads as an attack."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The four actions."""
    verbs = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    planning = verbs.add_parser("plan", help="what the nodes of a site will request, and where it comes from")
    site.add_site(planning)
    planning.add_argument("--to", metavar="DIR", help="also print what this mirror has of it")
    building = verbs.add_parser("build", help="build what nobody packages, on a host with the system of the nodes")
    site.add_site(building)
    building.add_argument("--to", metavar="DIR", required=True, help="folder of the mirror")
    mirror_build.add_arguments(building)
    syncing = verbs.add_parser("sync", help="fetch it, check it and publish it in a folder for a web server")
    site.add_site(syncing)
    syncing.add_argument("--to", metavar="DIR", required=True, help="folder of the mirror")
    _add_sync(syncing)
    for subparser in (building, syncing):
        _add_sign_key(subparser)
    for subparser in (planning, building, syncing):
        _add_upstreams(subparser)
    verifying = verbs.add_parser("verify", help="check every digest, signature and index of a mirror")
    verifying.add_argument("folder", metavar="DIR", help="folder of the mirror")
    verifying.add_argument("--site", metavar="SITE", help="also check that it has everything this site will request")
    for subparser in (planning, building, syncing, verifying):
        output.add_format(subparser)


def run(args: argparse.Namespace) -> int:
    """Plan, build, sync or verify."""
    return {"plan": _plan, "build": _build, "sync": _sync, "verify": _verify}[args.action](args)


def _add_sign_key(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--sign-key", metavar="KEY", default="",
        help="key of your gpg key ring that signs the mirror (default: one of its own, kept in DIR-secrets)",
    )  # fmt: skip


def _add_upstreams(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--upstream", metavar="NAME=URL", action="append", default=[],
        help="alternative URL of an upstream: a URL, or as in a sources.list 'NAME=URL SUITE COMPONENT...'",
    )  # fmt: skip
    parser.add_argument("--upstreams", metavar="FILE", help="a file of upstreams instead of the built-in one")
    parser.add_argument("--files", metavar="DIR", help="folder of manually downloaded vendor files (.run, .tar.gz)")


def _add_sync(parser: argparse.ArgumentParser) -> None:
    from rackwright.mirror.sync_records import JOBS

    parser.add_argument("--key", metavar="NAME=FILE", action="append", default=[], help="verified key of an upstream")
    parser.add_argument("--jobs", metavar="N", type=int, default=JOBS, help=f"files at once (default {JOBS})")
    parser.add_argument(
        "--upgrade", action="store_true", help="fetch the newest matching versions, not those already present"
    )
    parser.add_argument("--prune", action="store_true", help="remove files that are no longer required")


def _plan(args: argparse.Namespace) -> int:
    from rackwright import mirror

    design = site.expand(site.load(argparse.Namespace(site=args.site)))
    _, software, groups = _required(design)
    to = Path(args.to) if args.to else None
    upstreams, _ = _upstreams(args)
    mirror_plan = mirror.plan_mirror(software, groups, upstreams, to, _folder(args.files), _unread(design))
    charts = _charts(design.site)
    if args.format == "json":
        plan = mirror_plan.model_dump(mode="json")
        output.emit({"site": design.site.site, "missing": mirror_plan.missing, **plan, "charts": charts})
    else:
        mirror_text.plan(mirror_plan, with_state=to is not None)
        mirror_text.charts(charts)
    return ExitCode.PASS


def _charts(declared: Site) -> list[dict[str, str]]:
    """What the site declares of components of Kubernetes; where from, for the release that is pinned."""
    from rackwright.compat import kubernetes_lock

    pinned, control = kubernetes_lock.load().by_name(), declared.control.kubernetes
    charts = []
    for name in control.addons if control else ():
        if version := control.addon_version(name) if control else "":
            entry = pinned.get(name)
            origin = entry.model_dump(include=CHART_FIELDS) if entry and entry.version == version else {}
            charts.append({"name": name, "version": version, **origin})
    return charts


def _sync(args: argparse.Namespace) -> int:
    from rackwright import mirror

    if not 1 <= args.jobs <= MOST_JOBS:
        raise UsageError(f"--jobs {args.jobs}: give 1 to {MOST_JOBS}")
    name, software, groups = _required(site.expand(site.load(argparse.Namespace(site=args.site))))
    upstreams, built = _upstreams(args)
    operator_keys = {upstream: Path(path) for upstream, path in _pairs("--key", args.key).items()}
    order = mirror.SyncOptions(
        Path(args.to),
        upstreams,
        built | operator_keys,
        _folder(args.files),
        args.sign_key,
        args.jobs,
        args.upgrade,
        args.prune,
    )
    unknown = sorted(operator_keys.keys() - {entry.name for entry in order.upstreams.upstreams})
    if unknown:
        raise UsageError(f"--key {unknown[0]}=...: no such upstream; `rackwright mirror plan` lists them")
    with StepProgress([], quiet=args.format == "json") as progress:
        result = mirror.sync_mirror(name, software, groups, order, _on_event(progress), datetime.now(UTC))
    before, pinned = site_lock.pin_keys(site_file(Path(args.site)), result.public_key, result.rpm_keys)
    if args.format == "json":
        output.emit(
            {"site": name, "folder": args.to, "key_sha256": pinned.mirror_key_sha256, **mirror_text.synced_data(result)}
        )
    else:
        mirror_text.synced(result, order)
        mirror_text.pinned(before, pinned)
    return ExitCode.PASS


def _build(args: argparse.Namespace) -> int:
    _, _, groups = _required(site.expand(site.load(argparse.Namespace(site=args.site))))
    upstreams, _ = _upstreams(args)
    return mirror_build.run(args, groups, upstreams, _folder(args.files))


def _verify(args: argparse.Namespace) -> int:
    from rackwright import mirror

    groups: Sequence[mirror.InstallGroup] = ()
    places = None
    if args.site:
        _, software, groups = _required(site.expand(site.load(argparse.Namespace(site=args.site))))
        places = mirror.MirrorPaths(mirror.load_upstreams(), None, software.apt_mirror, software.file_mirror)
    with StepProgress([], quiet=args.format == "json") as progress:
        result = mirror.verify_mirror(Path(args.folder), groups, places, _on_event(progress))
    if args.format == "json":
        problems = [problem.as_dict() for problem in result.problems]
        output.emit({"folder": args.folder, "files": result.files, "bytes": result.bytes, "problems": problems})
    elif result.problems:
        output.error(ProblemsError(result.problems), as_json=False)
    else:
        complete = f", and it has everything that {args.site} requires" if args.site else ""
        print(f"{args.folder}: {result.files:,} files, {result.bytes / 1e9:.2f} GB, all as the lock says{complete}")
    return ExitCode.PROBLEMS if result.problems else ExitCode.PASS


def _required(design: Design) -> tuple[str, Software, list[mirror.InstallGroup]]:
    """The site's name, its software, and what its nodes will request, by node class."""
    from rackwright import mirror
    from rackwright.onboard.required_software import required_software

    software = design.site.software
    groups = mirror.group_required(required_software(design), software.bill)
    return (
        design.site.site,
        software,
        [mirror.of_the_site(group) for group in groups] if software.source == "vendor" else groups,
    )


def _unread(design: Design) -> list[str]:
    """What nobody read of the images of a cluster on servers of the site."""
    from rackwright.compat import kubernetes_images

    kubernetes = design.site.control.kubernetes
    return kubernetes_images.unread(kubernetes) if kubernetes and kubernetes.servers else []


def _upstreams(args: argparse.Namespace) -> tuple[mirror.Upstreams, dict[str, Path]]:
    """The upstreams, among them what was built for this mirror, and its key."""
    from rackwright import mirror
    from rackwright.mirror import build

    upstreams = mirror.load_upstreams(Path(args.upstreams) if args.upstreams else None)
    upstreams = mirror.override_urls(upstreams, _pairs("--upstream", args.upstream))
    return build.with_built(upstreams, Path(args.to)) if args.to else (upstreams, {})


def _pairs(option: str, options: Sequence[str]) -> dict[str, str]:
    """``NAME=VALUE`` options as a mapping. Raises UsageError if one is malformed."""
    pairs = {}
    for option_text in options:
        name, sign, value = option_text.partition("=")
        if not (name and sign and value.strip()):
            raise UsageError(f"{option} {option_text}: write NAME=VALUE, as {option} cuda={'/root/cuda.asc' if option == '--key' else 'https://repo.example/cuda'}")  # fmt: skip
        pairs[name] = value.strip()
    return pairs


def _folder(path: str | None) -> Path | None:
    if path is None:
        return None
    if not Path(path).is_dir():
        raise UsageError(f"--files {path}: no such folder")
    return Path(path)


def _on_event(progress: StepProgress) -> mirror.OnEvent:
    """Displays events of a sync or a check as steps on the terminal."""

    def show(event: str, data: dict[str, Any]) -> None:
        if event == "mirror.reading":
            progress.note(f"reading {data['upstream']} {data['url']}")
        elif event in {"mirror.due", "mirror.verify"}:
            progress.start("fetch" if event == "mirror.due" else "verify", int(data["files"]))
        elif event == "mirror.file":
            progress.advance(str(data["name"]))

    return show
