"""Uids of objects that patches change: read once for all objects of a kind, so that a patch takes one call.

A patch with a uid never creates an object: the API server refuses it if the object is gone or another one has its name.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from rackwright.kubernetes.client import METADATA, ApiClient
from rackwright.kubernetes.ownership import uid_of

Place = tuple[str, str]
"""Namespace and name."""


class Uids:
    """The uids of one API server, for one run."""

    def __init__(self) -> None:
        self._kinds: dict[tuple[str, str], asyncio.Task[dict[Place, str]]] = {}

    async def of(self, cluster: ApiClient, entry: Mapping[str, Any]) -> str:
        """The uid of the object of the same kind, namespace and name; empty if there is none."""
        kind = entry["apiVersion"], entry["kind"]
        if kind not in self._kinds:
            self._kinds[kind] = asyncio.ensure_future(_listed(cluster, *kind))
        listed = await asyncio.shield(self._kinds[kind])
        return listed.get(_place(entry)) or uid_of(await cluster.get(entry) or {})  # it may have been created since


async def _listed(cluster: ApiClient, api_version: str, kind: str) -> dict[Place, str]:
    return {_place(entry): uid_of(entry) for entry in await cluster.items(api_version, kind, METADATA)}


def _place(entry: Mapping[str, Any]) -> Place:
    metadata = entry["metadata"]
    return metadata.get("namespace") or "", metadata["name"]
