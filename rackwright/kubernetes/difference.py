"""Differences between declared objects and their recorded state; pure.

Only fields of the declaration are compared: the API server adds fields, and rewrites some values (``1000m`` as ``1``).
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from typing import Any

Path = tuple[str | int, ...]
IDENTITY: tuple[Path, ...] = (("kind",), ("metadata", "name"), ("metadata", "namespace"))
IMMUTABLE: Mapping[str, tuple[Path, ...]] = {
    "RoleBinding": (("roleRef",),),
    "ClusterRoleBinding": (("roleRef",),),
    "PriorityClass": (("value",), ("preemptionPolicy",)),
    "Deployment": (("spec", "selector"),),
    "DaemonSet": (("spec", "selector"),),
    "StatefulSet": (
        ("spec", "selector"),
        ("spec", "serviceName"),
        ("spec", "podManagementPolicy"),
        ("spec", "volumeClaimTemplates"),
    ),
    "Job": (("spec", "selector"), ("spec", "template"), ("spec", "completions")),
    "StorageClass": (("parameters",), ("provisioner",)),
    "PersistentVolumeClaim": (("spec", "accessModes"), ("spec", "storageClassName"), ("spec", "volumeName")),
}
"""Immutable fields of a kind: another value needs another object (pulumi/pulumi-kubernetes,
provider/pkg/provider/diff.go, forceNew, read 2026-11-25; of PriorityClass the validation of kube-apiserver 1.34).
"""


def declared(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The object that inputs declare: without empty values and our own marks; texts of a Secret are encoded as by the
    API server.
    """
    entry = {key: value for key, value in _without_none(inputs).items() if not key.startswith("__")}
    texts = entry.pop("stringData", None) if entry.get("kind") == "Secret" else None
    if texts:
        encoded = {key: base64.b64encode(str(text).encode()).decode() for key, text in texts.items()}
        entry["data"] = {**entry.get("data", {}), **encoded}
    return entry


def pruned(live: Any, shape: Any) -> Any:
    """The values of an object at the places that `shape` names."""
    if isinstance(shape, Mapping) and isinstance(live, Mapping):
        return {key: pruned(live[key], value) for key, value in shape.items() if key in live}
    if isinstance(shape, list) and isinstance(live, list):
        names, required = _by_name(live), _by_name(shape)
        if names is not None and required is not None:
            return [pruned(names[name], value) for name, value in required.items() if name in names]
        if len(shape) == len(live):
            return [pruned(element, value) for element, value in zip(live, shape, strict=True)]
    return live


def differences(old: Any, new: Any, path: Path = ()) -> Iterator[Path]:
    """Paths at which two objects differ, the outermost place of each difference."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in sorted({*old, *new}):
            if key not in old or key not in new:
                yield (*path, key)
            else:
                yield from differences(old[key], new[key], (*path, key))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, (before, after) in enumerate(zip(old, new, strict=True)):
            yield from differences(before, after, (*path, index))
    elif old != new:
        yield path


def replacing(kind: str, changed: list[Path], *, patch: bool) -> list[Path]:
    """Those of some changes that need another object; a patch needs one only if it is for another object."""
    fixed = IDENTITY if patch else (*IDENTITY, *IMMUTABLE.get(kind, ()))
    return [path for path in changed if any(path[: len(place)] == place[: len(path)] for place in fixed)]


def text(path: Path) -> str:
    """A path in the notation of Pulumi."""
    words = [f"[{part}]" if isinstance(part, int) else _key(part) for part in path]
    return "".join(words).lstrip(".")


def _key(part: str) -> str:
    return f".{part}" if part.replace("_", "").isalnum() else f'["{part}"]'


def _by_name(entries: list[Any]) -> dict[str, Any] | None:
    """Name -> entry; None unless each entry has a name of its own."""
    if not all(isinstance(entry, Mapping) and isinstance(entry.get("name"), str) for entry in entries):
        return None
    names = {entry["name"]: entry for entry in entries}
    return names if entries and len(names) == len(entries) else None


def _without_none(value: Any) -> Any:
    """The value without nulls, and with whole numbers as integers: the engine sends every number as a float."""
    if isinstance(value, Mapping):
        return {key: _without_none(element) for key, element in value.items() if element is not None}
    if isinstance(value, list):
        return [_without_none(element) for element in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
