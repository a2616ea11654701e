"""The objects of a cluster, each with a version: whoever writes on what has changed meanwhile is refused."""

from __future__ import annotations

import copy
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any

from rackwright.twin.kubernetes.resources import Resource

Object = dict[str, Any]
Key = tuple[str, str, str]
"""Plural, namespace (empty for what has none), name."""


class ApiError(Exception):
    """The API says no."""

    def __init__(self, status: HTTPStatus, reason: str, message: str) -> None:
        super().__init__(message)
        self.status, self.reason, self.message = status, reason, message

    def body(self) -> Object:
        """The object of kind Status that clients print."""
        kind = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure"}
        return {**kind, "message": self.message, "reason": self.reason, "code": int(self.status)}


def now() -> str:
    """ISO time in seconds, as metadata has it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class KubernetesObjects:
    """All objects; every method may be called from any thread."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        """For whoever reads and then writes."""
        self._found: dict[Key, Object] = {}
        self._version = 0

    def all(self, resource: Resource, namespace: str | None = None) -> Iterator[Object]:
        """Copies, in the order of their names."""
        with self.lock:
            keys = sorted(key for key in self._found if key[0] == resource.plural and namespace in (None, key[1]))
            objects = [copy.deepcopy(self._found[key]) for key in keys]
        yield from objects

    def get(self, resource: Resource, namespace: str, name: str) -> Object:
        """A copy; NotFound when there is none."""
        with self.lock:
            return copy.deepcopy(self._find(resource, namespace, name))

    def create(self, resource: Resource, namespace: str, body: Object) -> Object:
        """Store a new object; AlreadyExists when there is one of its name."""
        meta = {**body.get("metadata", {})}
        key = (resource.plural, namespace, str(meta["name"]))
        with self.lock:
            if key in self._found:
                raise ApiError(HTTPStatus.CONFLICT, "AlreadyExists", f'{resource.plural} "{key[2]}" already exists')
            meta |= {"uid": str(uuid.uuid4()), "creationTimestamp": now()}
            meta |= {"namespace": namespace} if namespace else {}
            kind = {"apiVersion": resource.api_version, "kind": resource.kind}
            return self._put(key, {**copy.deepcopy(body), **kind, "metadata": meta})

    def change(
        self, resource: Resource, namespace: str, name: str, change: Callable[[Object], Object], version: str = ""
    ) -> Object:
        """Replace an object by `change` of it; Conflict when `version` is given and is not that of the object."""
        with self.lock:
            before = self._find(resource, namespace, name)
            if version and version != before["metadata"]["resourceVersion"]:
                raise ApiError(
                    HTTPStatus.CONFLICT, "Conflict",
                    f'Operation cannot be fulfilled on {resource.plural} "{name}": the object has been modified; '
                    "please apply your changes to the latest version and try again",
                )  # fmt: skip
            after = change(copy.deepcopy(before))
            identity = {key: before["metadata"][key] for key in ("name", "uid", "creationTimestamp")}
            after["metadata"] = {**after["metadata"], **identity}
            return self._put((resource.plural, namespace, name), after)

    def delete(self, resource: Resource, namespace: str, name: str) -> Object:
        """Take an object away; NotFound when there is none."""
        with self.lock:
            stored = self._find(resource, namespace, name)
            del self._found[resource.plural, namespace, name]
            self._version += 1
            return stored

    def orphans(self) -> list[Key]:
        """Keys of objects all of whose owners are gone."""
        with self.lock:
            alive = {stored["metadata"]["uid"] for stored in self._found.values()}
            return [key for key, stored in self._found.items() if _owners(stored) and not _owners(stored) & alive]

    def drop(self, key: Key) -> None:
        """Take the object of `key` away, if it is still there."""
        with self.lock:
            self._found.pop(key, None)
            self._version += 1

    def _find(self, resource: Resource, namespace: str, name: str) -> Object:
        stored = self._found.get((resource.plural, namespace, name))
        if stored is None:
            raise ApiError(HTTPStatus.NOT_FOUND, "NotFound", f'{resource.plural} "{name}" not found')
        return stored

    def _put(self, key: Key, body: Object) -> Object:
        self._version += 1
        body["metadata"]["resourceVersion"] = str(self._version)
        self._found[key] = body
        return copy.deepcopy(body)


def _owners(metadata: Mapping[str, Any]) -> set[str]:
    return {owner["uid"] for owner in metadata["metadata"].get("ownerReferences") or []}
