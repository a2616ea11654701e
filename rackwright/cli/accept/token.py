"""``rackwright token SITE``: who may ask ``rackwright serve``, until when, and whether it may ask for a release.

A token is printed once, when it is created; only its hash is stored. A revoked one is refused from the next request on.
"""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rackwright.base.errors import ExitCode, UsageError
from rackwright.cli import output, site

if TYPE_CHECKING:
    from rackwright.serve.tokens import Token

DAYS = 90
MOST_DAYS = 3660


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, and what to do; without anything the tokens are listed."""
    site.add_site(parser)
    site.add_work(parser)
    actions = parser.add_mutually_exclusive_group()
    actions.add_argument("--add", metavar="NAME", help="create a token and print it, this once")
    actions.add_argument("--revoke", metavar="NAME", help="forget a token")
    parser.add_argument(
        "--scope", choices=["read", "release"], default="read", help="what a new token may (default read)"
    )
    parser.add_argument("--days", type=int, default=DAYS, metavar="N", help=f"days until it expires (default {DAYS})")
    output.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Create, revoke or list."""
    from rackwright.serve.tokens import TokenFile  # --help does not need it

    work = site.workspace(args, site.load(args).site)
    file, now = TokenFile.of(work), datetime.now(UTC).replace(microsecond=0)
    if args.add:
        if not 1 <= args.days <= MOST_DAYS:
            raise UsageError(f"--days {args.days}: give 1 to {MOST_DAYS}")
        text = file.add(args.add, args.scope, args.days, now)
        if args.format == "json":
            output.emit({"name": args.add, "token": text})
        else:
            print(text)
    elif args.revoke:
        file.revoke(args.revoke)
        if args.format == "json":
            output.emit({"revoked": args.revoke})
        else:
            print(f"{args.revoke} is revoked")
    else:
        _list(args, list(file.tokens().values()), now)
    return ExitCode.PASS


def _list(args: argparse.Namespace, tokens: list[Token], now: datetime) -> None:
    from rackwright.model.times import parse_time

    if args.format == "json":
        output.emit([token.model_dump(exclude={"sha256"}) for token in tokens])
        return
    output.print_lines(
        f"{token.name:<24} {token.scope:<8} {'EXPIRED' if parse_time(token.expires) <= now else 'until'} {token.expires}"
        for token in tokens
    )
    if not tokens:
        print("no tokens: `rackwright token SITE --add NAME` creates the first")
