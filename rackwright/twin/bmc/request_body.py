"""The JSON object of a request to a simulated BMC."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any

from aiohttp import web

from rackwright.twin.bmc.actions import RequestRefused


async def json_object(request: web.Request) -> dict[str, Any]:
    """The body of `request`; RequestRefused when it is no object."""
    try:
        body = json.loads(await request.text() or "{}")
    except ValueError:
        body = None
    if not isinstance(body, dict):
        raise RequestRefused(HTTPStatus.BAD_REQUEST, "The request body is not a JSON object.")
    return body
