"""What the API serves, and the documents by which clients discover it. Constants, and pure functions of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

VERBS = ["create", "delete", "get", "list", "patch", "update"]


@dataclass(frozen=True)
class Resource:
    """One kind of object."""

    plural: str
    kind: str
    group: str = ""
    namespaced: bool = True
    subresources: tuple[str, ...] = ()

    @property
    def api_version(self) -> str:
        """As manifests have it."""
        return f"{self.group}/v1" if self.group else "v1"


NODES = Resource("nodes", "Node", namespaced=False, subresources=("status",))
PODS = Resource("pods", "Pod", subresources=("status", "log"))
CONFIG_MAPS = Resource("configmaps", "ConfigMap")
EVENTS = Resource("events", "Event")
JOBS = Resource("jobs", "Job", group="batch", subresources=("status",))
REVIEWS = Resource("selfsubjectaccessreviews", "SelfSubjectAccessReview", "authorization.k8s.io", namespaced=False)
SERVED = {resource.plural: resource for resource in (NODES, PODS, CONFIG_MAPS, EVENTS, JOBS, REVIEWS)}
BASES = {"": "/api/v1"} | {group: f"/apis/{group}/v1" for group in ("batch", "authorization.k8s.io")}


def discovered(path: str) -> dict[str, Any] | None:
    """The document at `path`; None for a path that is not of discovery."""
    path = path.rstrip("/")  # kr8s asks for /version/
    if path == "/version":
        return {"major": "1", "minor": "34", "gitVersion": "v1.34.2", "platform": "linux/amd64"}
    if path == "/api":
        return {"kind": "APIVersions", "versions": ["v1"]}
    if path == "/apis":
        return {"kind": "APIGroupList", "apiVersion": "v1", "groups": [_group(name) for name in BASES if name]}
    if path == "/openapi/v3":
        return {"paths": {base.lstrip("/"): {"serverRelativeURL": f"/openapi/v3{base}"} for base in BASES.values()}}
    for group, base in BASES.items():
        if path == base:
            return {
                "kind": "APIResourceList",
                "groupVersion": f"{group}/v1".lstrip("/"),
                "resources": _resource_list(group),
            }
        if path == f"/openapi/v3{base}":
            return _schema(group, base)
    return None


def _group(name: str) -> dict[str, Any]:
    version = {"groupVersion": f"{name}/v1", "version": "v1"}
    return {"name": name, "versions": [version], "preferredVersion": version}


def _resource_list(group: str) -> list[dict[str, Any]]:
    resources = []
    for served in SERVED.values():
        for name in ("", *served.subresources) if served.group == group else ():
            path = f"{served.plural}/{name}" if name else served.plural
            entry = {"name": path, "singularName": served.kind.lower() if not name else "", "kind": served.kind}
            resources.append({**entry, "namespaced": served.namespaced, "verbs": VERBS})
    return resources


def _schema(group: str, base: str) -> dict[str, Any]:
    """As much of OpenAPI as tells clients that the server checks fields itself."""
    paths = {}
    for resource in (resource for resource in SERVED.values() if resource.group == group):
        where = (
            f"{base}/namespaces/{{namespace}}/{resource.plural}" if resource.namespaced else f"{base}/{resource.plural}"
        )
        kind = {"group": group, "version": "v1", "kind": resource.kind}
        checked = {"name": "fieldValidation", "in": "query", "schema": {"type": "string"}}
        operation = {"parameters": [checked], "x-kubernetes-group-version-kind": kind, "responses": {}}
        paths[f"{where}/{{name}}"] = {"patch": operation}
    return {"openapi": "3.0.0", "info": {"title": "Kubernetes", "version": "v1.34.2"}, "paths": paths}
