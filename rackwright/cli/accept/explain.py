"""``rackwright explain CHECK``: what a check claims, measures and means; without CHECK, a list of all checks."""

from __future__ import annotations

import argparse
from difflib import get_close_matches

from rackwright.base import content
from rackwright.base.errors import ExitCode, UsageError
from rackwright.cli import output, site
from rackwright.judge import load

FOLDER = ("validators", "checks")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The check; without it, the list."""
    parser.add_argument("check", metavar="CHECK", nargs="?", help="a check id (gpu.row_remap); without it, the list")
    parser.add_argument("--site", metavar="SITE", help="with the checks that this site brings in its folder")
    output.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Print one text or the list. Texts are read as files, so a check that cannot be loaded still has its explanation."""
    roots = site.load(args).catalog.roots if args.site else content.shipped()
    pages = content.files(roots, *FOLDER, pattern="*.md")
    texts = {name.removesuffix(".md").replace("/", "."): path for name, path in sorted(pages.items())}
    if args.check is None:
        titles = {check: load.title(path) for check, path in texts.items()}
        if args.format == "json":
            output.emit({"checks": titles})
        else:
            print("\n".join(f"{check:<26} {title}" for check, title in titles.items()))
        return ExitCode.PASS
    if args.check not in texts:
        raise UsageError(f"there is no check {args.check!r}; {_hint(args.check, list(texts))}")
    text = texts[args.check].read_text(encoding="utf-8")
    if args.format == "json":
        output.emit({"check": args.check, "title": load.title(texts[args.check]), "text": text})
    else:
        print(text, end="")
    return ExitCode.PASS


def _hint(wrong: str, checks: list[str]) -> str:
    """The nearest id; also finds a check named without its domain."""
    last = {check.partition(".")[2]: check for check in checks}
    near = get_close_matches(wrong, [*checks, *last], n=1, cutoff=0.5)
    if near:
        return f"did you mean {last.get(near[0], near[0])}?"
    return "`rackwright explain` lists them all"
