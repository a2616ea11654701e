"""Requests to the API, answered from the objects: who may do what, and what comes of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from rackwright.twin.kubernetes import fields, nodes, patches
from rackwright.twin.kubernetes.objects import ApiError, KubernetesObjects, Object
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
    match = PATH.match(path)
    resource = SERVED.get(match["plural"]) if match else None
    if match is None or resource is None or resource.group != (match["group"] or ""):
        return None
    return Target(resource, match["namespace"], match["name"] or "", match["sub"] or "")


class Api:
    """The API over some objects."""

    def __init__(self, store: KubernetesObjects, describe: nodes.Describe) -> None:
        self.heard = nodes.Heartbeats()
        self._store, self._describe = store, describe

    def answer(self, request: Request) -> Answer:
        """What the API says. ApiError when it says no."""
        if request.who and request.method == "GET" and (document := discovered(request.path)) is not None:
            return HTTPStatus.OK, document
        about = target(request.path)
        if about is None or not self._is_allowed(request, about):
            raise _forbidden(request)
        if request.method == "GET":
            return HTTPStatus.OK, self._get(about) if about.name else self._list(request, about)
        if request.method == "POST":
            return HTTPStatus.CREATED, self._create(request, about)
        if request.method in ("PATCH", "PUT"):
            return HTTPStatus.OK, self._change(request, about)
        if request.method == "DELETE":
            return HTTPStatus.OK, self._store.delete(about.resource, about.within, about.name)
        raise _forbidden(request)

    def nodes(self) -> list[Object]:
        """All nodes, as clients read them."""
        return [self._with_status(NODES, node) for node in self._store.all(NODES)]

    def _is_allowed(self, request: Request, about: Target) -> bool:
        """The administrator may do everything, a kubelet what concerns its own node and the pods on it."""
        if request.who == ADMIN:
            return True
        if not request.who.startswith(KUBELET):
            return False
        node_name = request.who.removeprefix(KUBELET)
        self.heard.hear(node_name)
        if about.resource is NODES:
            return request.method == "POST" or (request.method == "GET" and about.name == node_name)
        mine = [pod for pod in self._store.all(PODS) if pod["spec"].get("nodeName") == node_name]
        if about.resource is PODS and not about.name:
            return request.method == "GET" and request.query.get("fieldSelector") == f"spec.nodeName={node_name}"
        if about.resource is PODS:
            return about.name in {pod["metadata"]["name"] for pod in mine} and about.sub in ("", "status")
        return request.method == "GET" and about.resource is CONFIG_MAPS and about.name in _mounted(mine)

    def _get(self, about: Target) -> Object:
        return self._with_status(about.resource, self._store.get(about.resource, about.within, about.name))

    def _with_status(self, resource: Resource, stored: Object) -> Object:
        return nodes.node_status(stored, self._describe, self.heard) if resource is NODES else stored

    def _list(self, request: Request, about: Target) -> Object:
        try:
            items = [
                self._with_status(about.resource, stored)
                for stored in self._store.all(about.resource, about.namespace)
                if by_labels(request.query.get("labelSelector", ""), stored["metadata"].get("labels") or {})
                and by_fields(request.query.get("fieldSelector", ""), stored)
            ]
        except ValueError as error:
            raise ApiError(HTTPStatus.BAD_REQUEST, "BadRequest", str(error)) from None
        kind = {"kind": f"{about.resource.kind}List", "apiVersion": about.resource.api_version}
        return {**kind, "metadata": {}, "items": items}

    def _create(self, request: Request, about: Target) -> Object:
        body = request.body
        if about.resource is REVIEWS:
            return {"kind": REVIEWS.kind, "apiVersion": REVIEWS.api_version, "status": {"allowed": True}}
        if body is None:
            message = (
                "the body of the request was in an unknown format - accepted media types include: application/json"
            )
            raise ApiError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "UnsupportedMediaType", message)
        wrong = fields.unknown(about.resource.kind, body) if request.query.get("fieldValidation") == "Strict" else []
        if wrong:
            unknown = ", ".join(f'unknown field "{path}"' for path in wrong)
            raise ApiError(HTTPStatus.BAD_REQUEST, "BadRequest", f"strict decoding error: {unknown}")
        if about.resource is CONFIG_MAPS and _size(body) > MOST_BYTES:
            raise ApiError(
                HTTPStatus.UNPROCESSABLE_ENTITY, "Invalid", f"Too long: may not be more than {MOST_BYTES} bytes"
            )
        node_name = request.who.removeprefix(KUBELET)
        if about.resource is NODES and request.who.startswith(KUBELET):
            if body["metadata"]["name"] != node_name:
                message = f"{node_name} is not allowed to create node {body['metadata']['name']}"
                raise ApiError(HTTPStatus.FORBIDDEN, "Forbidden", message)
            body = nodes.labelled(body)
        if request.query.get("dryRun"):
            return dict(body)
        return self._store.create(about.resource, about.within, body)

    def _change(self, request: Request, about: Target) -> Object:
        version = str((request.body.get("metadata") or {}).get("resourceVersion", ""))

        def change(before: Object) -> Object:
            try:
                after = (
                    request.body
                    if request.method == "PUT"
                    else patches.patched(before, request.body, request.content_type)
                )
            except ValueError as error:
                raise ApiError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "UnsupportedMediaType", str(error)) from None
            if about.sub == "status":
                return {**before, "status": after.get("status") or {}}
            return {**after, **({"status": before["status"]} if "status" in before else {})}

        changed = self._store.change(about.resource, about.within, about.name, change, version)
        return self._with_status(about.resource, changed)


def _mounted(pods: list[Object]) -> set[str]:
    volumes = [volume for pod in pods for volume in pod["spec"].get("volumes") or []]
    return {volume["configMap"]["name"] for volume in volumes if "configMap" in volume}


def _size(body: Object) -> int:
    encoded = sum(len(value) * 3 // 4 for value in (body.get("binaryData") or {}).values())
    return encoded + sum(len(value.encode()) for value in (body.get("data") or {}).values())


def _forbidden(request: Request) -> ApiError:
    message = f"{request.method} {request.path} is not allowed"
    if request.who:
        return ApiError(HTTPStatus.FORBIDDEN, "Forbidden", message)
    return ApiError(HTTPStatus.UNAUTHORIZED, "Unauthorized", message)
