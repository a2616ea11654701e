"""Handlers: the status of one subject, of all of a kind, and the release of a node."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any, cast

from aiohttp import web

from rackwright.model.acceptance_status import AcceptanceStatus, SubjectKind
from rackwright.serve import metrics
from rackwright.serve.context import CONTEXT
from rackwright.serve.openapi import COLLECTIONS, document
from rackwright.serve.problem import RefusedRequestError, problem
from rackwright.serve.status_watch import NoAnswerError, of_kind

RELEASING = web.AppKey("releasing", asyncio.Lock)
MOST_DIGITS = 6


def add_routes(app: web.Application) -> None:
    """Add all routes; `openapi.document` describes the same routes."""
    app[RELEASING] = asyncio.Lock()
    router = app.router
    router.add_get("/healthz", health)
    router.add_get("/metrics", metrics_page)
    router.add_get("/openapi.json", openapi_document)
    router.add_get("/v1/site", the_site)
    router.add_get("/v1/{collection}", list_subjects)
    router.add_get("/v1/{collection}/{name}", one_subject)
    router.add_post("/v1/nodes/{name}/release", release_node)


async def health(request: web.Request) -> web.Response:
    """Whether decisions can be read and are unchanged; reveals nothing about them."""
    try:
        await request.app[CONTEXT].watch.statuses()
    except NoAnswerError:
        return problem(HTTPStatus.SERVICE_UNAVAILABLE, "the decisions cannot be read; the log of the server says why")
    return web.json_response({"status": "ok"})


async def metrics_page(request: web.Request) -> web.Response:
    """The metrics for Prometheus."""
    text = await metrics.metrics_text(request.app[CONTEXT])
    return web.Response(body=text.encode(), headers={"content-type": metrics.CONTENT})


async def openapi_document(request: web.Request) -> web.Response:  # noqa: ARG001 - the shape of every handler
    """The OpenAPI document of this server."""
    return web.json_response(document())


async def list_subjects(request: web.Request) -> web.Response:
    """All subjects of a kind, a page at a time; ``state`` filters them."""
    context, kind = request.app[CONTEXT], _kind(request)
    state, after = request.query.get("state", ""), request.query.get("after", "")
    if state not in ("", "held", "released"):
        raise RefusedRequestError(HTTPStatus.BAD_REQUEST, f"state={state[:50]}: give held or released")
    limit = _number(request, "limit", context.bounds.page, context.bounds.page)
    if limit < 1:
        raise RefusedRequestError(HTTPStatus.BAD_REQUEST, f"limit={limit}: give 1 to {context.bounds.page}")
    every = of_kind(await context.watch.statuses(), kind)
    names = [status.name for status in every]
    if after and after not in names:
        raise RefusedRequestError(HTTPStatus.BAD_REQUEST, f"after={after[:100]}: there is no {kind} of that name")
    chosen = [status for status in every[names.index(after) + 1 if after else 0 :] if state in ("", status.state)]
    page = chosen[:limit]
    more = page[-1].name if len(chosen) > limit else None
    return web.json_response({"items": [status.model_dump() for status in page], "next": more})


async def one_subject(request: web.Request) -> web.Response:
    """The status of one subject; ``wait`` holds the answer until it is released, or for as many seconds."""
    return web.json_response((await _status(request, _kind(request), request.match_info["name"])).model_dump())


async def the_site(request: web.Request) -> web.Response:
    """The status of the site."""
    return web.json_response((await _status(request, "site", request.app[CONTEXT].site)).model_dump())


async def release_node(request: web.Request) -> web.Response:
    """Ask the gate to decide on a node now, from the newest evidence; it is never forced."""
    context, name = request.app[CONTEXT], request.match_info["name"]
    if ("node", name) not in await context.watch.statuses():
        raise _unknown("node", name)
    lock = request.app[RELEASING]
    if lock.locked():
        raise RefusedRequestError(
            HTTPStatus.CONFLICT, "another release is under way: try again", **{"retry-after": "10"}
        )
    async with lock:
        error = await context.release(name)
    status = (await context.watch.statuses())["node", name]
    if error or status.state == "held":
        detail = error or f"{name} stays held: {status.reason}"
        return problem(HTTPStatus.CONFLICT, detail, acceptance=status.model_dump())
    return web.json_response(status.model_dump())


async def _status(request: web.Request, kind: SubjectKind, name: str) -> AcceptanceStatus:
    context = request.app[CONTEXT]
    seconds = _number(request, "wait", int(context.bounds.wait_seconds), 0)
    try:
        return await context.watch.released((kind, name), seconds)
    except KeyError:
        raise _unknown(kind, name) from None


def _kind(request: web.Request) -> SubjectKind:
    collection = request.match_info["collection"]
    if collection not in COLLECTIONS:
        detail = f"there is no {collection[:50]}; there are {', '.join(COLLECTIONS)} and site"
        raise RefusedRequestError(HTTPStatus.NOT_FOUND, detail)
    return cast("SubjectKind", COLLECTIONS[collection])


def _number(request: web.Request, name: str, most: int, default: int) -> int:
    text: Any = request.query.get(name, "")
    if not text:
        return default
    if not (text.isascii() and text.isdecimal()) or len(text) > MOST_DIGITS:
        raise RefusedRequestError(HTTPStatus.BAD_REQUEST, f"{name}={text[:50]}: give a whole number up to {most}")
    return min(int(text), most)


def _unknown(kind: str, name: str) -> RefusedRequestError:
    return RefusedRequestError(HTTPStatus.NOT_FOUND, f"the site has no {kind} {name[:100]}")
