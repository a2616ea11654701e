"""Sockets, TLS, and the start and end of the server."""

from __future__ import annotations

import asyncio
import signal
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from aiohttp import web
from aiohttp.typedefs import Handler
from aiohttp.web_protocol import RequestHandler

from rackwright.base.errors import OutsideError, UsageError
from rackwright.serve.bounds import ServerBounds
from rackwright.serve.context import CONTEXT, ServerContext
from rackwright.serve.middleware import answer_errors, check_token
from rackwright.serve.routes import add_routes

SILENT = web.AppKey("silent", set[RequestHandler])
"""Connections that have not yet sent the complete head of a request."""


@dataclass(frozen=True)
class Listening:
    """Address and certificate of the server."""

    host: str
    port: int
    """0: the kernel chooses."""
    certificate: Path | None
    """Certificate for `key`; None: without TLS, only for loopback."""
    key: Path | None


class Certificate:
    """The server's certificate, read again when its file changes: a renewal needs no restart."""

    def __init__(self, certificate: Path, key: Path) -> None:
        self._certificate, self._key = certificate, key
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.minimum_version = ssl.TLSVersion.TLSv1_2
        self._stamp = 0
        try:
            self.renew()
        except (OSError, ssl.SSLError) as error:
            raise UsageError(
                f"--tls-cert {certificate}, --tls-key {key}: {error.strerror or error}; give a certificate and its key in PEM"
            ) from None

    def renew(self) -> bool:
        """Read the files if they changed; raises OSError for malformed ones."""
        stamp = self._certificate.stat().st_mtime_ns
        if stamp == self._stamp:
            return False
        self.context.load_cert_chain(self._certificate, self._key)
        self._stamp = stamp
        return True


def application(context: ServerContext) -> web.Application:
    """The web application with its routes and middleware."""
    app = web.Application(middlewares=[_hear, answer_errors, check_token], client_max_size=context.bounds.request_bytes)
    app[CONTEXT] = context
    app[SILENT] = set()
    add_routes(app)
    return app


@web.middleware
async def _hear(request: web.Request, handler: Handler) -> web.StreamResponse:
    request.app[SILENT].discard(request.protocol)
    return await handler(request)


@asynccontextmanager
async def listening(context: ServerContext, where: Listening) -> AsyncIterator[int]:
    """Serve until the block ends; yields the port. OutsideError if the address is in use."""
    bounds, app = context.bounds, application(context)
    runner = web.AppRunner(
        app, handle_signals=False, access_log=None, keepalive_timeout=bounds.idle_seconds,
        max_line_size=bounds.header_bytes, max_field_size=bounds.header_bytes, max_headers=bounds.headers,
        shutdown_timeout=bounds.head_seconds,
    )  # fmt: skip
    await runner.setup()
    certificate = Certificate(where.certificate, where.key) if where.certificate and where.key else None
    loop = asyncio.get_running_loop()
    doorkeeper = _Doorkeeper(runner, app, bounds)
    try:
        server = await loop.create_server(
            doorkeeper, where.host, where.port, ssl=certificate.context if certificate else None,
            ssl_handshake_timeout=bounds.head_seconds if certificate else None,
        )  # fmt: skip
    except OSError as error:
        await runner.cleanup()
        raise OutsideError(
            f"{where.host}:{where.port} cannot be listened on ({error.strerror}): give another --listen"
        ) from None
    tasks = [loop.create_task(_renew(certificate, context))] if certificate else []
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        for task in tasks:
            task.cancel()
        server.close()
        await runner.cleanup()


class _Doorkeeper:
    """Creates the protocol of each connection; closes those beyond the limit, and those that send no head in time."""

    def __init__(self, runner: web.AppRunner, app: web.Application, bounds: ServerBounds) -> None:
        assert runner.server is not None
        self._server, self._silent, self._bounds = runner.server, app[SILENT], bounds

    def __call__(self) -> asyncio.Protocol:
        if len(self._server.connections) >= self._bounds.connections:
            return _Refusal()
        handler = self._server()
        self._silent.add(handler)
        asyncio.get_running_loop().call_later(self._bounds.head_seconds, self._end_silent, handler)
        return handler

    def _end_silent(self, handler: RequestHandler) -> None:
        if handler in self._silent:
            self._silent.discard(handler)
            handler.force_close()


class _Refusal(asyncio.Protocol):
    """Closes a connection at once."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by the loop."""
        transport.close()


async def _renew(certificate: Certificate, context: ServerContext) -> None:
    while True:
        await asyncio.sleep(context.bounds.watch_seconds)
        try:
            if certificate.renew():
                context.log("the certificate was read again")
        except (OSError, ssl.SSLError) as error:
            context.log(f"the certificate cannot be read ({error}): the last one stays")


async def serve(
    context: ServerContext,
    where: Listening,
    work: Sequence[Callable[[], Awaitable[None]]],
    started: Callable[[int], None],
) -> None:
    """Serve until SIGTERM or SIGINT; `work` runs in parallel, and ends the server if it fails."""
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    async with listening(context, where) as port:
        started(port)
        tasks = [asyncio.ensure_future(entry()) for entry in work]
        end = asyncio.ensure_future(ended.wait())
        try:
            done, _ = await asyncio.wait([*tasks, end], return_when=asyncio.FIRST_COMPLETED)
            for task in done - {end}:
                task.result()
        finally:
            for task in (*tasks, end):
                task.cancel()
            with suppress(asyncio.CancelledError):
                await asyncio.gather(*tasks, end, return_exceptions=True)
