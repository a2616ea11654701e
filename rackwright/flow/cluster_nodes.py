"""The nodes of the cluster that the kubeconfig of this process names, for the gate to read and write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rackwright.kubernetes.client import STRATEGIC, ApiClient

Node = Mapping[str, Any]


class ClusterNodes:
    """Nodes accessed through one client, which limits how many calls run at once."""

    def __init__(self, client: ApiClient) -> None:
        self._client = client

    async def all(self) -> Sequence[Node]:
        """Every node, a page at a time."""
        return await self._client.items("v1", "Node")

    async def get(self, name: str) -> Node | None:
        """One node; None if the cluster does not have it."""
        return await self._client.get(_reference(name))

    async def patch(self, name: str, change: Node) -> Node:
        """Merge `change` into a node."""
        return await self._client.patch(_reference(name), change)

    async def patch_status(self, name: str, change: Node) -> Node:
        """Merge `change` into its status, conditions by their type."""
        return await self._client.patch(_reference(name), change, STRATEGIC, "status")


def _reference(name: str) -> Node:
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}}
