"""The manager of an object, from its managed fields, and the requests in its annotations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

FIELD_MANAGER = "pulumi.com/patchFieldManager"
FORCE = "pulumi.com/patchForce"
"""Annotations of the official plugin (pulumi/pulumi-kubernetes, provider/pkg/metadata, read 2026-11-25)."""


def managers(entry: Mapping[str, Any]) -> list[str]:
    """Field managers of an object, without those of its status, in the order of their first appearance."""
    fields = (entry.get("metadata") or {}).get("managedFields") or []
    return list(dict.fromkeys(field["manager"] for field in fields if not field.get("subresource")))


def managed_by(entry: Mapping[str, Any], manager: str) -> bool:
    """Whether `manager` holds any field of the object."""
    return manager in managers(entry)


def annotation(entry: Mapping[str, Any], key: str) -> str:
    """An annotation; empty if it is not set."""
    return str(((entry.get("metadata") or {}).get("annotations") or {}).get(key) or "")


def uid_of(entry: Mapping[str, Any]) -> str:
    """The uid, which distinguishes an object from a later one with the same name; empty if it is not recorded."""
    return str((entry.get("metadata") or {}).get("uid") or "")
