"""Error responses (RFC 9457, ``application/problem+json``)."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any

from aiohttp import web

CONTENT = "application/problem+json"


class RefusedRequestError(Exception):
    """A request that is refused, with the status and detail of its answer."""

    def __init__(self, status: HTTPStatus, detail: str, **headers: str) -> None:
        super().__init__(detail)
        self.status, self.detail, self.headers = status, detail, headers


def problem(status: HTTPStatus | int, detail: str, headers: dict[str, str] | None = None, **more: Any) -> web.Response:
    """An error response with its status, the reason and the next step."""
    known_status = HTTPStatus(status)
    content = {"title": known_status.phrase, "status": int(known_status), "detail": detail, **more}
    return web.Response(text=json.dumps(content), status=int(known_status), content_type=CONTENT, headers=headers)
