"""``rackwright mirror build``: builds what nobody packages, on a host with the system of the nodes, for the next sync.

Exits 1 if the build host lacks something (nothing has started then) or a build fails (nothing is published then).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rackwright.base.errors import ExitCode
from rackwright.cli import output
from rackwright.cli.progress import StepProgress

if TYPE_CHECKING:
    from rackwright import mirror
    from rackwright.mirror import build


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that no other action has."""
    parser.add_argument("--recipes", metavar="FILE", help="a file of recipes instead of the built-in one")
    parser.add_argument("--only", metavar="NAME", action="append", help="build this recipe alone; may be repeated")


def run(
    args: argparse.Namespace, groups: Sequence[mirror.InstallGroup], upstreams: mirror.Upstreams, files: Path | None
) -> int:
    """Build what the nodes of `groups` need that are like this host."""
    from rackwright.mirror import build
    from rackwright.mirror.build import host

    recipes = build.load_recipes(Path(args.recipes) if args.recipes else None).only(args.only or ())
    options = build.BuildOptions(Path(args.to), recipes, upstreams, files, args.sign_key)
    with StepProgress([], quiet=args.format == "json") as progress:
        on_event = lambda _event, data: progress.note(f"building {data['name']}")  # noqa: E731 - one use, one line
        result = build.build_mirror(groups, host.this_host(), options, on_event, datetime.now(UTC))
    if args.format == "json":
        output.emit(_data(result))
    else:
        _print(result, args)
    return ExitCode.PASS


def _print(result: build.BuildResult, args: argparse.Namespace) -> None:
    for name, files in result.built.items():
        print(f"built {name}: {', '.join(files)}")
    for name in result.kept:
        print(f"here already: {name}")
    if not result.built and not result.kept:
        print("nothing to build: the bills of nodes like this host name no software that a recipe makes")
        return
    print(f"{result.folder}: `rackwright mirror sync {args.site} --to {args.to}` takes them into the mirror")


def _data(result: build.BuildResult) -> dict[str, Any]:
    built = {name: list(files) for name, files in result.built.items()}
    return {"folder": str(result.folder), "built": built, "kept": list(result.kept)}
