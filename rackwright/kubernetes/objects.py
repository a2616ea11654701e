"""The life cycle of a Kubernetes object as in Pulumi (check, diff, create, read, update, delete), in plain
dictionaries.

An existing object that is not ours is never written: neither taken over by a create, nor removed by a delete. A patch
(a type whose name ends in ``Patch``) owns fields of another owner's object, and gives them up when it is deleted.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rackwright.base.errors import UsageError
from rackwright.kubernetes import difference, readiness
from rackwright.kubernetes.client import ApiClient, title
from rackwright.kubernetes.errors import ClusterError, OwnedElsewhereError
from rackwright.kubernetes.ownership import FIELD_MANAGER, FORCE, annotation, managed_by, managers, uid_of
from rackwright.kubernetes.uids import Uids
from rackwright.kubernetes.waiting import READY_SECONDS, until_gone, until_ready

INPUTS = "__inputs"
APPLIED = "__applied"
"""The applied values in the API server, if they differ from the inputs."""
MANAGER = "__fieldManager"
DEFAULT_MANAGER = "rackwright"
CONFIG = {
    "kubeconfig": "path or content of a kubeconfig; KUBECONFIG or ~/.kube/config when empty",
    "context": "context of the kubeconfig; its current one when empty",
    "namespace": "namespace of objects that name none",
    "enablePatchForce": "whether fields that others own are taken over",
}
"""Settings of the official plugin that this one supports."""
VOLATILE = ("managedFields", "resourceVersion", "generation", "selfLink")

Properties = dict[str, Any]


@dataclass(frozen=True)
class Change:
    """Differences between wanted inputs and a recorded object."""

    changed: tuple[str, ...]
    drifted: tuple[str, ...]
    replaces: tuple[str, ...]
    delete_first: bool
    """Whether the old object must be deleted before the new one is created: both have the same name."""


class Objects:
    """All objects of one provider process."""

    def __init__(self) -> None:
        self._config: Mapping[str, str] = {}
        self._cluster: asyncio.Task[ApiClient] | None = None
        self._uids = Uids()

    def configure(self, config: Mapping[str, str]) -> None:
        """Store the provider configuration (`CONFIG`)."""
        self._config = config

    async def create(self, inputs: Properties, *, patch: bool, preview: bool, seconds: float = 0) -> Properties:
        """Create the object, or own fields of an existing one; returns the state to record."""
        cluster, entry = await self._connect(), self._declared(inputs)
        if preview and not await _can_be_tried(cluster, entry):
            return dict(inputs)
        live = None if patch else await cluster.get(entry)
        if live is not None:
            _require_ours(entry, live)
        return await self._apply(inputs, entry, preview=preview, patch=patch, seconds=seconds)

    async def update(
        self, state: Properties, inputs: Properties, *, patch: bool, preview: bool, seconds: float = 0
    ) -> Properties:
        """Update a recorded object to new inputs, or back to its own; returns the state to record."""
        cluster, entry = await self._connect(), self._declared(inputs)
        if preview and not await _can_be_tried(cluster, entry):
            return dict(inputs)
        live = None if patch else await cluster.get(entry)
        if live is not None and uid_of(live) != uid_of(state):
            _require_ours(entry, live)
        return await self._apply(inputs, entry, preview=preview, patch=patch, seconds=seconds)

    async def read(self, inputs: Properties, state: Properties, *, patch: bool) -> Properties | None:
        """The current object; None if it is gone, or if another object has its name."""
        entry = self._declared(inputs)
        live = await (await self._connect()).get(entry)
        if live is None or (
            not patch and uid_of(state) not in {"", uid_of(live)} and not managed_by(live, _manager(entry))
        ):
            return None
        applied = state.get(APPLIED, entry) if state else difference.pruned(live, entry)
        return _state(inputs, entry, live, applied, patch=patch)

    async def delete(self, state: Properties, *, patch: bool, seconds: float = 0) -> str:
        """Delete the object, or give up the fields of a patch; returns a sentence if nothing was deleted."""
        cluster, entry = await self._connect(), self._declared(state.get(INPUTS) or state)
        live = await cluster.get(entry)
        if live is None:
            return "was gone already"
        if not managed_by(live, _manager(entry)):
            return f"is left: it is managed by {', '.join(managers(live)) or 'others'} now"
        if patch:
            await cluster.apply(_identity(entry), _manager(entry))
            return ""
        if not await cluster.delete(entry, uid_of(state)):
            return "is left: another object has its name by now"
        await until_gone(cluster, entry, uid_of(live), seconds or READY_SECONDS)
        return ""

    async def _apply(
        self, inputs: Properties, entry: Properties, *, preview: bool, patch: bool, seconds: float
    ) -> Properties:
        cluster = await self._connect()
        forced = "true" in {annotation(entry, FORCE), str(self._config.get("enablePatchForce", "")).lower()}
        required = await self._existing(cluster, entry) if patch else entry
        live = await cluster.apply(required, _manager(entry), dry_run=preview, force=forced)
        if not preview and not patch:
            live = await until_ready(cluster, entry, live, seconds or READY_SECONDS)
        return _state(inputs, entry, live, difference.pruned(live, entry), patch=patch)

    async def _existing(self, cluster: ApiClient, entry: Properties) -> Properties:
        """A patch of the existing object that cannot create one. ClusterError if there is none."""
        uid = await self._uids.of(cluster, entry)
        if not uid:
            raise ClusterError(f"{title(entry)}: there is no such object to patch: create it first")
        return {**entry, "metadata": {**entry["metadata"], "uid": uid}}

    def _declared(self, inputs: Mapping[str, Any]) -> Properties:
        entry = difference.declared({key: inputs[key] for key in inputs if not key.startswith("__")})
        space = self._config.get("namespace")
        if space and not entry["metadata"].get("namespace"):
            entry["metadata"] = {**entry["metadata"], "namespace": space}
        return entry

    async def _connect(self) -> ApiClient:
        if self._cluster is None:
            config = self._config
            self._cluster = asyncio.ensure_future(
                ApiClient.connect(config.get("kubeconfig", ""), config.get("context", ""))
            )
        return await asyncio.shield(self._cluster)


def compare(state: Properties, inputs: Properties, *, patch: bool) -> Change:
    """Compare a recorded object with wanted inputs; pure."""
    old, new = difference.declared(state.get(INPUTS) or {}), difference.declared(inputs)
    changed = list(difference.differences(old, new))
    live = difference.pruned({key: value for key, value in state.items() if not key.startswith("__")}, old)
    drifted = [path for path in difference.differences(state.get(APPLIED) or old, live) if path not in changed]
    replaces = difference.replacing(str(new.get("kind")), changed, patch=patch)
    same = _identity(old).get("metadata") == _identity(new).get("metadata")
    words = [tuple(map(difference.text, paths)) for paths in (changed, drifted, replaces)]
    return Change(words[0], words[1], words[2], bool(replaces) and same)


def failures(inputs: Properties, *, patch: bool) -> list[tuple[str, str]]:
    """(property, reason) for inputs that no API server would accept, or that this plugin does not support."""
    metadata = inputs.get("metadata") or {}
    reasons = [(key, "is missing: every object has it") for key in ("apiVersion", "kind") if not inputs.get(key)]
    if patch and not metadata.get("name"):
        reasons.append(("metadata.name", "is missing: a patch names the object that it changes"))
    if metadata.get("generateName"):
        reasons.append(("metadata.generateName", "cannot be applied server-side: give metadata.name"))
    if problem := readiness.wait_for_problem(inputs):
        reasons.append((f'metadata.annotations["{readiness.WAIT_FOR}"]', problem))
    return reasons


def require_server_side(config: Mapping[str, str]) -> None:
    """Raise `UsageError` for a configuration that only the official plugin supports."""
    if str(config.get("enableServerSideApply", "true")).lower() == "false" or config.get("renderYamlToDirectory"):
        raise UsageError(
            "rackwright's plugin for Kubernetes applies server-side only: install pulumi-resource-kubernetes for anything else"
        )


def identity_text(inputs: Mapping[str, Any]) -> str:
    """The id of an object in the stack, in the form of the official plugin."""
    metadata = inputs.get("metadata") or {}
    return f"{metadata['namespace']}/{metadata['name']}" if metadata.get("namespace") else str(metadata.get("name"))


async def _can_be_tried(cluster: ApiClient, entry: Properties) -> bool:
    """Whether a dry run is possible: its kind is served and its namespace exists; both may be created in the same run."""
    served = await cluster.kind(entry["apiVersion"], entry["kind"])
    if served is None or not served.namespaced:
        return served is not None
    name = entry["metadata"].get("namespace") or "default"
    return await cluster.get({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}) is not None


def _require_ours(entry: Properties, live: Mapping[str, Any]) -> None:
    if live["metadata"].get("deletionTimestamp"):
        raise ClusterError(f"{title(entry)}: it is being deleted: run again when it is gone")
    if not managed_by(live, _manager(entry)):
        raise OwnedElsewhereError(
            f"{title(entry)}: it exists already, and belongs to {', '.join(managers(live)) or 'others'}: "
            "name another, delete it, or `pulumi import` it"
        )


def _state(inputs: Properties, entry: Properties, live: Mapping[str, Any], applied: Any, *, patch: bool) -> Properties:
    """The state to record: of a patch only its fields, of an object all but its status and fields that change by
    themselves.

    With the status a refresh would always report what controllers do.
    """
    observed = difference.pruned(live, entry)
    shape = observed if patch else {key: value for key, value in live.items() if key != "status"}
    metadata = {key: value for key, value in shape["metadata"].items() if key not in VOLATILE}
    state = {**shape, "metadata": {**metadata, "uid": uid_of(live)}, INPUTS: inputs, MANAGER: _manager(entry)}
    return state | ({APPLIED: applied} if applied != entry else {})


def _identity(entry: Mapping[str, Any]) -> Properties:
    metadata = entry.get("metadata") or {}
    identity = {key: metadata[key] for key in ("name", "namespace") if metadata.get(key)}
    return {"apiVersion": entry.get("apiVersion"), "kind": entry.get("kind"), "metadata": identity}


def _manager(entry: Mapping[str, Any]) -> str:
    return annotation(entry, FIELD_MANAGER) or DEFAULT_MANAGER
