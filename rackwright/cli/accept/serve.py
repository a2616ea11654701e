"""``rackwright serve SITE``: says over HTTP what is held and released, since when and why, and calls webhooks on change.

It answers from the decisions that ``rackwright gate`` wrote into the ledger, and reads them again when they change; it never decides. It
runs until SIGTERM or Ctrl-C. Tokens come from ``rackwright token``, webhooks from ``acceptance.webhooks`` of the site.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

from rackwright.base.errors import ExitCode, UsageError
from rackwright.base.terminal_text import as_line
from rackwright.cli import site

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rackwright.base.workspace import Workspace
    from rackwright.model.access import Secret
    from rackwright.model.site import Webhook
    from rackwright.serve.server import Listening

DEFAULT_LISTEN = "127.0.0.1:8443"
MOST_PORT = 65535


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, where to listen, and the certificate."""
    site.add_site(parser)
    site.add_work(parser)
    parser.add_argument(
        "--listen", metavar="HOST:PORT", default=DEFAULT_LISTEN,
        help=f"address and port (default {DEFAULT_LISTEN}; port 0: any that is free)",
    )  # fmt: skip
    parser.add_argument(
        "--tls-cert", metavar="FILE", help="certificate with its chain, in PEM; read again when it changes"
    )
    parser.add_argument("--tls-key", metavar="FILE", help="its key, in PEM")
    parser.add_argument(
        "--without-webhooks", action="store_true", help="call nobody on a change, whatever the site declares"
    )
    parser.add_argument("--without-tls", action="store_true", help="plain HTTP, on a loopback address alone")


def run(args: argparse.Namespace) -> int:
    """Serve until a signal."""
    where = _where(args)
    loaded = site.load(args)
    webhooks = [] if args.without_webhooks else loaded.site.acceptance.webhooks
    keys = _keys(webhooks)
    work = site.workspace(args, loaded.site)

    from rackwright.flow.acceptance_board import AcceptanceBoard, SiteBoard  # heavy; --help does not need it
    from rackwright.ledger import Ledger
    from rackwright.serve.bounds import load_bounds
    from rackwright.serve.context import ServerContext
    from rackwright.serve.logins import FailedLogins
    from rackwright.serve.outbox import Outbox
    from rackwright.serve.server import serve
    from rackwright.serve.status_watch import StatusWatch
    from rackwright.serve.tokens import TokenFile
    from rackwright.serve.webhooks import WebhookCaller

    bounds = load_bounds()
    outbox = Outbox(work.folder("serve") / "outbox.db", loaded.site.site, webhooks, bounds, _now)
    with closing(outbox), closing(Ledger(site.ledger_url(work))) as ledger:

        def make_board() -> AcceptanceBoard:
            return AcceptanceBoard(site.expand(site.load(args)), ledger, rehearsals=work.kind == "twin")

        board = SiteBoard(loaded.path, make_board)
        board.head()  # problems of the design are printed at the start, not at the first request
        watch = StatusWatch(board, outbox.record)
        release = partial(_release, loaded.path, work, bounds.release_seconds)
        context = ServerContext(
            loaded.site.site,
            watch,
            TokenFile.of(work),
            FailedLogins(bounds, time.monotonic),
            outbox,
            release,
            bounds,
            _now,
            _log,
        )
        caller = WebhookCaller(outbox, webhooks, keys, bounds, time.time, _log)
        tasks: list[Callable[[], Awaitable[None]]] = [partial(watch.follow, bounds.watch_seconds, _log)]
        tasks += [caller.run] if webhooks else []
        asyncio.run(serve(context, where, tasks, partial(_started, args, where)))
    return ExitCode.PASS


def _now() -> datetime:
    return datetime.now(UTC)


def _log(sentence: str) -> None:
    print(f"{_now():%Y-%m-%dT%H:%M:%SZ} {as_line(sentence)}", file=sys.stderr, flush=True)


def _started(args: argparse.Namespace, where: Listening, port: int) -> None:
    scheme = "https" if where.certificate else "http"
    host = f"[{where.host}]" if ":" in where.host else where.host
    print(f"serving {args.site} on {scheme}://{host}:{port}", flush=True)


def _where(args: argparse.Namespace) -> Listening:
    """The address to listen on. UsageError for an address without TLS that other machines can reach."""
    from rackwright.serve.server import Listening

    host, _, port = args.listen.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    try:
        address = ip_address(host)
    except ValueError:
        raise UsageError(
            f"--listen {args.listen}: give the address to listen on, as 0.0.0.0:8443 or [::1]:8443"
        ) from None
    if not (port.isascii() and port.isdecimal()) or int(port[:6]) > MOST_PORT:
        raise UsageError(f"--listen {args.listen}: give a port from 0 to {MOST_PORT}")
    if args.without_tls:
        if not address.is_loopback or args.tls_cert or args.tls_key:
            raise UsageError(
                "--without-tls: tokens would go over the network in clear text; it is for loopback addresses alone"
            )
        return Listening(host, int(port), None, None)
    if not (args.tls_cert and args.tls_key):
        raise UsageError("give --tls-cert and --tls-key, or --without-tls behind a proxy on this machine")
    return Listening(host, int(port), Path(args.tls_cert), Path(args.tls_key))


def _keys(webhooks: list[Webhook]) -> Mapping[str, Secret]:
    """Webhook -> its signature key. UsageError if one is missing or malformed."""
    from rackwright.model.access import Secret
    from rackwright.serve.webhooks import key_bytes

    keys = {webhook.name: Secret(os.environ.get(webhook.secret_env, "")) for webhook in webhooks}
    for webhook in webhooks:
        try:
            empty = not key_bytes(keys[webhook.name])
        except ValueError:
            raise UsageError(f"{webhook.secret_env}: what follows whsec_ is not base64") from None
        if empty:
            raise UsageError(f"{webhook.secret_env} is not set: export the key of the webhook {webhook.name}")
    return keys


async def _release(path: Path, work: Workspace, seconds: float, node: str) -> str:
    """Run ``rackwright gate`` for one node in a process of its own; returns why it could not decide, empty if it did."""
    words = [sys.executable, "-m", "rackwright", "gate", str(path), "--nodes", node, "--work", str(work.path)]
    process = await asyncio.create_subprocess_exec(
        *words, "--format", "json", stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=None
    )
    try:
        async with asyncio.timeout(seconds):
            printed, _ = await process.communicate()
    except BaseException as error:
        process.terminate()
        await process.wait()
        if isinstance(error, TimeoutError):
            return f"the gate did not end within {seconds:g} s"
        raise
    return _gate_error(printed)


def _gate_error(printed: bytes) -> str:
    """Why the gate did not decide, from its output; empty if it did."""
    try:
        answer = json.loads(printed)
    except ValueError:
        return "the gate could not decide; the log of the server says why"
    if "decisions" in answer:
        return ""
    problems = [problem["message"] for problem in answer.get("problems", ())]
    return f"the gate could not decide: {answer.get('error') or '; '.join(problems)}"
