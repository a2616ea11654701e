"""Who manages an object: what its managed fields say, and what its annotations ask for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

FIELD_MANAGER = "pulumi.com/patchFieldManager"
FORCE = "pulumi.com/patchForce"
"""Annotations of the official plugin (pulumi/pulumi-kubernetes, provider/pkg/metadata, read 2026-11-25)."""


def managers(entry: Mapping[str, Any]) -> list[str]:
    """Field managers of an object, those of its status left out, the first that came first."""
    fields = (entry.get("metadata") or {}).get("managedFields") or []
    return list(dict.fromkeys(field["manager"] for field in fields if not field.get("subresource")))


def managed_by(entry: Mapping[str, Any], manager: str) -> bool:
    """Whether `manager` holds any field of the object."""
    return manager in managers(entry)


def annotation(entry: Mapping[str, Any], key: str) -> str:
    """An annotation; empty where it is not set."""
    return str(((entry.get("metadata") or {}).get("annotations") or {}).get(key) or "")


def uid_of(entry: Mapping[str, Any]) -> str:
    """What tells an object from a later one of the same name; empty where it is not recorded."""
    return str((entry.get("metadata") or {}).get("uid") or "")
