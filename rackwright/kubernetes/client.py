"""A client for one API server that all callers share: many calls at once, over one session of `kr8s`."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import warnings
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import kr8s
import kr8s.asyncio
import yaml

from rackwright.base import concurrency
from rackwright.base.errors import UsageError
from rackwright.kubernetes.errors import ClusterError, refusal, unreachable

PATIENCE_SECONDS = 30.0
"""Time limit of one call."""
NOT_FOUND = 404
METADATA = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"
MERGE, STRATEGIC = "application/merge-patch+json", "application/strategic-merge-patch+json"
Object = dict[str, Any]


@dataclass(frozen=True)
class ServedKind:
    """A kind of object as the API server serves it."""

    api: str
    plural: str
    namespaced: bool


def title(entry: Mapping[str, Any]) -> str:
    """Kind, namespace and name of an object, for messages."""
    metadata = entry.get("metadata") or {}
    space = f"{metadata['namespace']}/" if metadata.get("namespace") else ""
    return f"{entry.get('kind', 'object')} {space}{metadata.get('name', '')}"


class ApiClient:
    """One API server. Raises `ClusterError` for everything that it refuses."""

    def __init__(self, api: Any) -> None:
        self._api = api
        self._slots = asyncio.Semaphore(concurrency.at_once("kubernetes_calls"))
        self._kinds: dict[str, asyncio.Task[dict[str, ServedKind]]] = {}
        self.version = ""
        """Release of the API server, without a v."""

    @classmethod
    async def connect(cls, kubeconfig: str = "", context: str = "") -> ApiClient:
        """Connect by a kubeconfig (path or text); if empty, by that of ``KUBECONFIG`` or ``~/.kube/config``."""
        for name in ("httpx", "httpcore", "kr8s"):
            logging.getLogger(name).setLevel(logging.WARNING)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # kr8s warns about releases that it was not tested with
            try:
                api = await kr8s.asyncio.api(kubeconfig=_kubeconfig(kubeconfig), context=context or None)
            except httpx.TransportError as error:
                raise unreachable(_server(kubeconfig), _reason(error)) from error
            except kr8s.ServerError as error:
                code = error.response.status_code if error.response else 0
                raise refusal(_server(kubeconfig), code, {"message": str(error)}) from error
            except (kr8s.APITimeoutError, OSError) as error:
                raise unreachable(_server(kubeconfig), _reason(error)) from error
            except (ValueError, KeyError, TypeError, yaml.YAMLError) as error:
                where = kubeconfig if kubeconfig and "\n" not in kubeconfig else "in use"
                raise UsageError(
                    f"the kubeconfig {where} cannot be read: set KUBECONFIG to a file with the address and an account of the API server"
                ) from error
        api.timeout = PATIENCE_SECONDS
        cluster = cls(api)
        answer = await cluster._call("GET", "version", "/version")
        cluster.version = str(answer.get("gitVersion", "")).removeprefix("v")
        return cluster

    async def kind(self, api_version: str, kind: str) -> ServedKind | None:
        """How a kind is served; None if it is not."""
        for fresh in (False, True):  # a CustomResourceDefinition may have been added since
            if kind in (kinds := await self._served(api_version, fresh=fresh)):
                return kinds[kind]
        return None

    async def get(self, entry: Mapping[str, Any]) -> Object | None:
        """The object of the same kind, namespace and name; None if there is none."""
        return await self._call_object("GET", entry, missing=True)

    async def items(self, api_version: str, kind: str, form: str = "application/json") -> list[Object]:
        """All objects of a kind; empty if it is not served. `form`: media type of the answer, such as `METADATA`."""
        served = await self.kind(api_version, kind)
        if served is None:
            return []
        result: list[Object] = []
        token = ""
        while True:
            parameters = {"limit": "500"} | ({"continue": token} if token else {})
            page = await self._call(
                "GET", kind, f"{_base(api_version)}/{served.plural}", params=parameters, headers={"accept": form}
            )
            result += [{"apiVersion": api_version, "kind": kind, **item} for item in page.get("items") or []]
            token = page.get("metadata", {}).get("continue") or ""
            if not token:
                return result

    async def apply(
        self, entry: Mapping[str, Any], manager: str, *, dry_run: bool = False, force: bool = False
    ) -> Object:
        """Server-side apply as the field manager `manager`; returns the object afterwards."""
        parameters = {"fieldManager": manager, "force": str(force).lower(), "fieldValidation": "Strict"}
        if dry_run:
            parameters["dryRun"] = "All"
        headers = {"content-type": "application/apply-patch+yaml"}
        content = json.dumps(entry)
        result = await self._call_object("PATCH", entry, params=parameters, headers=headers, content=content)
        assert result is not None
        return result

    async def patch(
        self, entry: Mapping[str, Any], change: Mapping[str, Any], kind: str = MERGE, subresource: str = ""
    ) -> Object:
        """Merge `change` into the object of the same kind, namespace and name; returns the object afterwards."""
        headers, content = {"content-type": kind}, json.dumps(change)
        result = await self._call_object("PATCH", entry, subresource=subresource, headers=headers, content=content)
        assert result is not None
        return result

    async def may(self, verb: str, resource: str) -> bool:
        """Whether the account may do `verb` to all objects of a resource of the core group."""
        attributes = {"spec": {"resourceAttributes": {"verb": verb, "resource": resource}}}
        review = {"apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectAccessReview", **attributes}
        path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
        headers = {"content-type": "application/json"}
        answer = await self._call("POST", "access review", path, headers=headers, content=json.dumps(review))
        return bool((answer.get("status") or {}).get("allowed"))

    async def delete(self, entry: Mapping[str, Any], uid: str) -> bool:
        """Delete the object with this uid; False if it is gone, or another object has its name."""
        options = {"kind": "DeleteOptions", "apiVersion": "v1", "propagationPolicy": "Background"}
        content = json.dumps(options | ({"preconditions": {"uid": uid}} if uid else {}))
        with suppress(_OtherUidError):
            return await self._call_object("DELETE", entry, missing=True, content=content) is not None
        return False

    async def _call_object(
        self, method: str, entry: Mapping[str, Any], *, subresource: str = "", **more: Any
    ) -> Object | None:
        api, kind, metadata = entry["apiVersion"], entry["kind"], entry["metadata"]
        served = await self.kind(api, kind)
        if served is None:
            if more.get("missing"):
                return None
            raise ClusterError(
                f"{title(entry)}: the API server does not serve {kind} of {api}: install the component that brings it"
            )
        space = f"/namespaces/{metadata.get('namespace') or 'default'}" if served.namespaced else ""
        path = f"{_base(api)}{space}/{served.plural}/{metadata['name']}"
        path += f"/{subresource}" if subresource else ""
        answer: Object | None = await self._call(method, title(entry), path, **more)
        return answer

    async def _served(self, api_version: str, *, fresh: bool) -> dict[str, ServedKind]:
        task = self._kinds.get(api_version)
        if task is None or (fresh and task.done()):
            task = self._kinds[api_version] = asyncio.ensure_future(self._discover(api_version))
        return await task

    async def _discover(self, api_version: str) -> dict[str, ServedKind]:
        answer = await self._call("GET", api_version, _base(api_version), missing=True)
        return {
            entry["kind"]: ServedKind(api_version, entry["name"], entry["namespaced"])
            for entry in (answer or {}).get("resources", [])
            if "/" not in entry["name"]
        }

    async def _call(self, method: str, about: str, path: str, *, missing: bool = False, **request: Any) -> Any:
        """The answer as plain data; None if it does not exist and `missing` allows that."""
        base, _, rest = path.lstrip("/").partition("/")
        try:
            # The status is read here: kr8s would reopen the session while other calls use it.
            async with (
                self._slots,
                self._api.call_api(
                    method, version="", base=f"/{base}", url=rest, raise_for_status=False, **request
                ) as response,
            ):
                code, answer = response.status_code, _decode(response)
        except (httpx.TransportError, kr8s.APITimeoutError, OSError) as error:
            raise unreachable(self._api.auth.server, _reason(error)) from error
        if code == NOT_FOUND and missing:
            return None
        if code == 409 and "uid" in str(answer.get("message", "")).lower() and method == "DELETE":
            raise _OtherUidError
        if code >= 400:
            raise refusal(about, code, answer)
        return answer


class _OtherUidError(Exception):
    """Another object has the name now."""


def _base(api_version: str) -> str:
    return f"/apis/{api_version}" if "/" in api_version else f"/api/{api_version}"


def _decode(response: httpx.Response) -> Any:
    try:
        return response.json()
    except ValueError:
        return {"message": response.text[:300]}


def _reason(error: Exception) -> str:
    cause: BaseException | None = error
    while cause is not None:  # httpx hides the error of the operating system
        if isinstance(cause, OSError) and cause.errno and cause.errno > 0:
            return os.strerror(cause.errno)
        cause = cause.__cause__ or cause.__context__
    return str(error) or type(error).__name__


def _server(kubeconfig: str) -> str:
    """Address of the current cluster, for a message; read again, because nothing is available when a session fails."""
    text = kubeconfig or os.environ.get("KUBECONFIG") or "~/.kube/config"
    with suppress(OSError, yaml.YAMLError, KeyError, StopIteration, TypeError):
        config = yaml.safe_load(
            text if "\n" in text else Path(text.split(os.pathsep)[0]).expanduser().read_text("utf-8")
        )
        context = next(c["context"] for c in config["contexts"] if c["name"] == config["current-context"])
        return str(next(c["cluster"]["server"] for c in config["clusters"] if c["name"] == context["cluster"]))
    return "of the kubeconfig"


def _kubeconfig(text: str) -> Any:
    """The kubeconfig in the form that kr8s accepts: None, a path, or the content as a mapping."""
    if not text or "\n" not in text.strip():
        return str(Path(text).expanduser()) if text else None
    return yaml.safe_load(text)
