"""Opens walls between tenants in the cluster of a twin, as an administrator would by mistake."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from rackwright.kubernetes.client import ApiClient
from rackwright.platform.object import make

RBAC = "rbac.authorization.k8s.io"
QUOTAS = {"quota": "accelerators", "class": "foreign-classes"}


async def open_walls(tenants: Iterable[str], walls: Collection[str]) -> list[str]:
    """Delete the quotas of ``quota`` and ``class``, and bind everybody for ``namespace``; one sentence for each change.

    The walls of nodes, ``network`` and ``devices``, are open since they booted.
    """
    if not {*QUOTAS, "namespace"} & {*walls}:
        return []
    client, changes = await ApiClient.connect(), []
    for wall in sorted(QUOTAS.keys() & {*walls}):
        for tenant in tenants:
            entry = await client.get(make("v1", "ResourceQuota", QUOTAS[wall], tenant))
            if entry is not None and await client.delete(entry, entry["metadata"]["uid"]):
                changes.append(f"the quota {QUOTAS[wall]} of {tenant} is deleted")
    if "namespace" in walls:
        role = {"apiGroup": RBAC, "kind": "ClusterRole", "name": "edit"}
        everybody = [{"apiGroup": RBAC, "kind": "Group", "name": "system:authenticated"}]
        binding = make(f"{RBAC}/v1", "ClusterRoleBinding", "everybody-edits", roleRef=role, subjects=everybody)
        await client.apply(binding, "twin", force=True)
        changes.append("every user may edit every namespace")
    return changes
