"""Requests to the API, answered from the objects: who may do what, and what comes of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from rackwright.twin.kubernetes import fields, nodes, patches
from rackwright.twin.kubernetes.objects import ApiError, Object, Objects
from rackwright.twin.kubernetes.resources import CONFIG_MAPS, NODES, PODS, REVIEWS, SERVED, Resource, discovered
from rackwright.twin.kubernetes.selectors import by_fields, by_labels

PATH = re.compile(
    r"^(?:/api/v1|/apis/(?P<group>[^/]+)/v1)(?:/namespaces/(?P<namespace>[^/]+))?/(?P<plural>[a-z]+)(?:/(?P<name>[^/]+)(?:/(?P<sub>[a-z]+))?)?$"
)
ADMIN = "kubernetes-admin"
KUBELET = "system:node:"
MOST_BYTES = 1 << 20
"""Of a ConfigMap (ConfigMap reference of Kubernetes, read 2026-11-22)."""
Answer = tuple[HTTPStatus, dict[str, Any]]


@dataclass(frozen=True)
class Request:
    """One request."""

    method: str
    path: str
    who: str
    """``kubernetes-admin``, ``system:node:<name>``, ``bootstrap``, or empty for anybody."""
    query: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    content_type: str = ""


@dataclass(frozen=True)
class Target:
    """What a request is about."""

    resource: Resource
    namespace: str | None
    """None: all namespaces, or none at all."""
    name: str
    sub: str

    @property
    def within(self) -> str:
        """The namespace as objects are stored by it."""
        return self.namespace or ""


def target(path: str) -> Target | None:
    """What `path` is about; None when nothing is served there."""
    found = PATH.match(path)
    resource = SERVED.get(found["plural"]) if found else None
    if found is None or resource is None or resource.group != (found["group"] or ""):
        return None
    return Target(resource, found["namespace"], found["name"] or "", found["sub"] or "")


class Api:
    """The API over some objects."""

    def __init__(self, store: Objects, describe: nodes.Describe) -> None:
        self.heard = nodes.Heard()
        self._store, self._describe = store, describe

    def answer(self, asked: Request) -> Answer:
        """What the API says. ApiError when it says no."""
        if asked.who and asked.method == "GET" and (document := discovered(asked.path)) is not None:
            return HTTPStatus.OK, document
        about = target(asked.path)
        if about is None or not self._allowed(asked, about):
            raise _refused(asked)
        if asked.method == "GET":
            return HTTPStatus.OK, self._get(about) if about.name else self._list(asked, about)
        if asked.method == "POST":
            return HTTPStatus.CREATED, self._create(asked, about)
        if asked.method in ("PATCH", "PUT"):
            return HTTPStatus.OK, self._change(asked, about)
        if asked.method == "DELETE":
            return HTTPStatus.OK, self._store.delete(about.resource, about.within, about.name)
        raise _refused(asked)

    def nodes(self) -> list[Object]:
        """All nodes, as clients read them."""
        return [self._shown(NODES, one) for one in self._store.all(NODES)]

    def _allowed(self, asked: Request, about: Target) -> bool:
        """The administrator may do everything, a kubelet what concerns its own node and the pods on it."""
        if asked.who == ADMIN:
            return True
        if not asked.who.startswith(KUBELET):
            return False
        own = asked.who.removeprefix(KUBELET)
        self.heard.hear(own)
        if about.resource is NODES:
            return asked.method == "POST" or (asked.method == "GET" and about.name == own)
        mine = [one for one in self._store.all(PODS) if one["spec"].get("nodeName") == own]
        if about.resource is PODS and not about.name:
            return asked.method == "GET" and asked.query.get("fieldSelector") == f"spec.nodeName={own}"
        if about.resource is PODS:
            return about.name in {one["metadata"]["name"] for one in mine} and about.sub in ("", "status")
        return asked.method == "GET" and about.resource is CONFIG_MAPS and about.name in _mounted(mine)

    def _get(self, about: Target) -> Object:
        return self._shown(about.resource, self._store.get(about.resource, about.within, about.name))

    def _shown(self, resource: Resource, one: Object) -> Object:
        return nodes.shown(one, self._describe, self.heard) if resource is NODES else one

    def _list(self, asked: Request, about: Target) -> Object:
        try:
            items = [
                self._shown(about.resource, one)
                for one in self._store.all(about.resource, about.namespace)
                if by_labels(asked.query.get("labelSelector", ""), one["metadata"].get("labels") or {})
                and by_fields(asked.query.get("fieldSelector", ""), one)
            ]
        except ValueError as error:
            raise ApiError(HTTPStatus.BAD_REQUEST, "BadRequest", str(error)) from None
        kind = {"kind": f"{about.resource.kind}List", "apiVersion": about.resource.api_version}
        return {**kind, "metadata": {}, "items": items}

    def _create(self, asked: Request, about: Target) -> Object:
        body = asked.body
        if about.resource is REVIEWS:
            return {"kind": REVIEWS.kind, "apiVersion": REVIEWS.api_version, "status": {"allowed": True}}
        if body is None:
            said = "the body of the request was in an unknown format - accepted media types include: application/json"
            raise ApiError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "UnsupportedMediaType", said)
        wrong = fields.unknown(about.resource.kind, body) if asked.query.get("fieldValidation") == "Strict" else []
        if wrong:
            told = ", ".join(f'unknown field "{path}"' for path in wrong)
            raise ApiError(HTTPStatus.BAD_REQUEST, "BadRequest", f"strict decoding error: {told}")
        if about.resource is CONFIG_MAPS and _size(body) > MOST_BYTES:
            raise ApiError(
                HTTPStatus.UNPROCESSABLE_ENTITY, "Invalid", f"Too long: may not be more than {MOST_BYTES} bytes"
            )
        own = asked.who.removeprefix(KUBELET)
        if about.resource is NODES and asked.who.startswith(KUBELET):
            if body["metadata"]["name"] != own:
                said = f"{own} is not allowed to create node {body['metadata']['name']}"
                raise ApiError(HTTPStatus.FORBIDDEN, "Forbidden", said)
            body = nodes.labelled(body)
        if asked.query.get("dryRun"):
            return dict(body)
        return self._store.create(about.resource, about.within, body)

    def _change(self, asked: Request, about: Target) -> Object:
        version = str((asked.body.get("metadata") or {}).get("resourceVersion", ""))

        def change(before: Object) -> Object:
            try:
                after = asked.body if asked.method == "PUT" else patches.patched(before, asked.body, asked.content_type)
            except ValueError as error:
                raise ApiError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "UnsupportedMediaType", str(error)) from None
            if about.sub == "status":
                return {**before, "status": after.get("status") or {}}
            return {**after, **({"status": before["status"]} if "status" in before else {})}

        changed = self._store.change(about.resource, about.within, about.name, change, version)
        return self._shown(about.resource, changed)


def _mounted(pods: list[Object]) -> set[str]:
    volumes = [volume for pod in pods for volume in pod["spec"].get("volumes") or []]
    return {volume["configMap"]["name"] for volume in volumes if "configMap" in volume}


def _size(body: Object) -> int:
    encoded = sum(len(value) * 3 // 4 for value in (body.get("binaryData") or {}).values())
    return encoded + sum(len(value.encode()) for value in (body.get("data") or {}).values())


def _refused(asked: Request) -> ApiError:
    said = f"{asked.method} {asked.path} is not allowed"
    if asked.who:
        return ApiError(HTTPStatus.FORBIDDEN, "Forbidden", said)
    return ApiError(HTTPStatus.UNAUTHORIZED, "Unauthorized", said)
