"""Middleware of every request: time limit, errors, tokens and the log."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from time import monotonic

from aiohttp import web
from aiohttp.typedefs import Handler

from rackwright.base.terminal_text import as_line
from rackwright.serve.context import CONTEXT, ServerContext
from rackwright.serve.problem import RefusedRequestError, problem
from rackwright.serve.status_watch import NoAnswerError
from rackwright.serve.tokens import Scope, Token

OPEN = ("/healthz", "/openapi.json")
"""Paths without a token: their answers reveal nothing about the site."""
TOKEN = web.RequestKey("token", Token)
BEARER = "Bearer "


@web.middleware
async def answer_errors(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer every error as a problem document, and log one line per request, without its query and its token."""
    context, start = request.app[CONTEXT], monotonic()
    response = await _answered(request, handler, context)
    context.answered[response.status] += 1
    token = request.get(TOKEN)
    took = f"{(monotonic() - start) * 1000:.0f} ms"
    words = (request.remote, token.name if token else "-", request.method, request.path, response.status, took)
    context.log(as_line(" ".join(map(str, words)))[:500])
    response.headers.update({"cache-control": "no-store", "server": "rackwright"})
    return response


async def _answered(request: web.Request, handler: Handler, context: ServerContext) -> web.StreamResponse:
    seconds = context.bounds.answer_seconds + _extra_seconds(request, context)
    try:
        async with asyncio.timeout(seconds):
            return await handler(request)
    except RefusedRequestError as error:
        return problem(error.status, error.detail, error.headers)
    except NoAnswerError as error:
        return problem(HTTPStatus.SERVICE_UNAVAILABLE, str(error))
    except TimeoutError:
        return problem(HTTPStatus.SERVICE_UNAVAILABLE, f"no answer within {seconds:g} s: try again")
    except web.HTTPException as error:
        headers = {"allow": error.headers["allow"]} if "allow" in error.headers else None
        return problem(error.status, "see /openapi.json for what there is", headers)


def _extra_seconds(request: web.Request, context: ServerContext) -> float:
    if request.method == "POST":
        return context.bounds.release_seconds
    return context.bounds.wait_seconds if "wait" in request.query else 0.0


@web.middleware
async def check_token(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuse requests without a valid token; releases need a token of that scope."""
    if request.path in OPEN:
        return await handler(request)
    context, address = request.app[CONTEXT], request.remote or ""
    if pause := context.logins.pause(address):
        wait = f"too many failed logins from {address}: wait {pause:.0f} s"
        raise RefusedRequestError(HTTPStatus.TOO_MANY_REQUESTS, wait, **{"retry-after": f"{pause:.0f}"})
    header = request.headers.get("authorization", "")
    token = context.tokens.accepted(header.removeprefix(BEARER).strip(), context.now()) if header else None
    if token is None or not header.startswith(BEARER):
        context.logins.fail(address)
        detail = (
            "send 'Authorization: Bearer TOKEN' with a token of `rackwright token SITE --add NAME` that has not expired"
        )
        raise RefusedRequestError(HTTPStatus.UNAUTHORIZED, detail, **{"www-authenticate": 'Bearer realm="rackwright"'})
    request[TOKEN] = token
    needed: Scope = "read" if request.method in ("GET", "HEAD") else "release"
    if needed == "release" and token.scope != "release":
        raise RefusedRequestError(
            HTTPStatus.FORBIDDEN, f"the token {token.name} may read only: use one of scope release"
        )
    return await handler(request)
