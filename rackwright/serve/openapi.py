"""The API as an OpenAPI 3.1 document, made from the records of its answers."""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic.json_schema import models_json_schema

from rackwright import __version__
from rackwright.model.acceptance_status import AcceptanceStatus
from rackwright.model.base import Record
from rackwright.model.field_texts import DescribedSchema
from rackwright.serve.bounds import load_bounds

COLLECTIONS = {
    "nodes": "node",
    "racks": "rack",
    "fabrics": "fabric",
    "pools": "pool",
    "parts": "part",
    "units": "unit",
}
"""Path -> kind, for each kind of subject of which a site has several."""
JSON = "application/json"
STATUS = {"$ref": "#/components/schemas/AcceptanceStatus"}


class Page(Record):
    """Some subjects of a kind."""

    items: list[AcceptanceStatus]
    next: str | None
    """Give it as ``after`` for the next page; null on the last one."""


class Health(Record):
    """The server can answer."""

    status: str
    """``ok``."""


class ProblemDocument(Record):
    """An error (RFC 9457)."""

    title: str
    status: int
    detail: str
    """What is wrong, and what to do."""
    acceptance: AcceptanceStatus | None = None
    """Where a release was refused: the status of the node."""


class StatusChange(Record):
    """The data of a message to a webhook."""

    site: str
    changes: list[AcceptanceStatus]


class ChangeMessage(Record):
    """A message to a webhook, signed as Standard Webhooks has it."""

    type: str
    """``rackwright.acceptance.changed``."""
    timestamp: str
    """ISO time at which the change was noticed."""
    data: StatusChange


RECORDS = (AcceptanceStatus, Page, Health, ProblemDocument, ChangeMessage)


@cache
def document() -> dict[str, Any]:
    """The OpenAPI document."""
    _, schemas = models_json_schema(
        [(record, "serialization") for record in RECORDS],
        ref_template="#/components/schemas/{model}",
        schema_generator=DescribedSchema,
    )
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "rackwright gate",
            "version": __version__,
            "summary": "What a site has released to whoever schedules or provisions, and what it holds.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "security": [{"token": []}],
        "paths": _paths(),
        "webhooks": {"changed": {"post": _webhook()}},
        "components": {
            "schemas": schemas["$defs"],
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _paths() -> dict[str, Any]:
    paths = {
        "/healthz": {"get": {**_operation("health", "Whether the server can answer", "Health", 503), "security": []}},
        "/openapi.json": {"get": {"operationId": "openapi", "summary": "This document", "security": [],
                                  "responses": {"200": _answer("the document", {"type": "object"})}}},
        "/metrics": {"get": {"operationId": "metrics", "summary": "Numbers for Prometheus", "responses": {
            "200": {"description": "the text format", "content": {"text/plain": {"schema": {"type": "string"}}}},
            **_errors(401, 429)}}},
        "/v1/site": {"get": _subject("site", "The site", [])},
    }  # fmt: skip
    for collection, kind in COLLECTIONS.items():
        paths[f"/v1/{collection}"] = {"get": _listing(collection)}
        paths[f"/v1/{collection}/{{name}}"] = {"get": _subject(kind, f"One {kind}", [_name(kind)])}
    release = _operation("release_node", "Ask the gate to decide on a node now; it is never forced", "AcceptanceStatus",
                         401, 403, 404, 409, 429, 503)  # fmt: skip
    paths["/v1/nodes/{name}/release"] = {"post": {**release, "parameters": [_name("node")]}}
    return paths


def _listing(collection: str) -> dict[str, Any]:
    page = load_bounds().page
    parameters = [
        _query("state", "only those in this state", {"type": "string", "enum": ["held", "released"]}),
        _query("limit", "how many at most", {"type": "integer", "minimum": 1, "maximum": page, "default": page}),
        _query("after", "those behind this name, in the order of the design", {"type": "string"}),
    ]
    return {
        **_operation(f"list_{collection}", f"All {collection}", "Page", 400, 401, 429, 503),
        "parameters": parameters,
    }


def _subject(kind: str, summary: str, parameters: list[dict[str, Any]]) -> dict[str, Any]:
    most = int(load_bounds().wait_seconds)
    wait = _query("wait", "hold the answer until it is released, for as many seconds at most",
                  {"type": "integer", "minimum": 0, "maximum": most, "default": 0})  # fmt: skip
    operation = _operation(f"get_{kind}", summary, "AcceptanceStatus", 400, 401, 404, 429, 503)
    return {**operation, "parameters": [*parameters, wait]}


def _operation(name: str, summary: str, record: str, *errors: int) -> dict[str, Any]:
    schema = {"$ref": f"#/components/schemas/{record}"}
    return {"operationId": name, "summary": summary, "responses": {"200": _answer(record, schema), **_errors(*errors)}}


def _answer(text: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": text, "content": {JSON: {"schema": schema}}}


def _errors(*statuses: int) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/ProblemDocument"}
    content = {"application/problem+json": {"schema": schema}}
    return {str(status): {"description": "a problem", "content": content} for status in statuses}


def _name(kind: str) -> dict[str, Any]:
    return {
        "name": "name",
        "in": "path",
        "required": True,
        "schema": {"type": "string"},
        "description": f"name of the {kind}",
    }


def _query(name: str, text: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": "query", "required": False, "schema": schema, "description": text}


def _webhook() -> dict[str, Any]:
    headers = [
        ("webhook-id", "the same at every try: whoever has it already answers 200"),
        ("webhook-timestamp", "Unix time of the call"),
        ("webhook-signature", "v1, and the HMAC-SHA256 of id.timestamp.body in base64"),
    ]
    return {
        "operationId": "changed",
        "summary": "Sent to the declared webhooks when subjects are held or released",
        "parameters": [
            {"name": name, "in": "header", "required": True, "schema": {"type": "string"}, "description": text}
            for name, text in headers
        ],
        "requestBody": {
            "required": True,
            "content": {JSON: {"schema": {"$ref": "#/components/schemas/ChangeMessage"}}},
        },
        "responses": {"2XX": {"description": "taken"}},
    }
