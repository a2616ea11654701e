"""A namespace for each tenant, and the rights of its members there."""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.model.design import Design
from rackwright.platform.object import DOMAIN, Object, make

RBAC = "rbac.authorization.k8s.io"
ROLE = "edit"
"""Of the roles that every cluster has: objects of the namespace, but no quotas and no rights (Kubernetes, User-facing roles)."""


def objects(design: Design) -> list[Object]:
    """Namespaces, then bindings."""
    tenants = design.site.tenants
    named = [make("v1", "Namespace", tenant.name, labels={f"{DOMAIN}/tenant": tenant.name}) for tenant in tenants]
    return [*named, *_bindings(design)]


def _bindings(design: Design) -> Iterator[Object]:
    for tenant in design.site.tenants:
        people = [("User", name) for name in tenant.members.users] + [("Group", name) for name in tenant.members.groups]
        if people:
            subjects = [{"kind": kind, "name": name, "apiGroup": RBAC} for kind, name in people]
            role = {"apiGroup": RBAC, "kind": "ClusterRole", "name": ROLE}
            yield make(f"{RBAC}/v1", "RoleBinding", "members", tenant.name, roleRef=role, subjects=subjects)
