"""A Kubernetes object as plain data."""

from __future__ import annotations

from typing import Any

Object = dict[str, Any]
"""``apiVersion``, ``kind``, ``metadata`` and the rest."""
DOMAIN = "rackwright.io"
"""Prefix of our own labels, annotations and taints."""
REQUIRED_TOPOLOGY = f"{DOMAIN}/required-topology"
"""Annotation of a priority class: the node label that jobs of the class must name as their required topology."""
QUEUES = f"{DOMAIN}/queues"
"""Annotation of a priority class: the queues that accept its jobs, as NAMESPACE/QUEUE with commas."""


def make(api: str, kind: str, name: str, namespace: str = "", **fields: Any) -> Object:
    """An object; ``annotations`` and ``labels`` among `fields` become part of its metadata and are omitted if empty."""
    metadata: dict[str, Any] = {"name": name}
    if namespace:
        metadata["namespace"] = namespace
    for part in ("labels", "annotations"):
        if value := fields.pop(part, None):
            metadata[part] = value
    return {"apiVersion": api, "kind": kind, "metadata": metadata, **fields}
