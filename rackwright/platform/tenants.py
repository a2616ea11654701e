"""A namespace for each tenant: the rights of its members, the quota of its pods, and the sources that may reach them.

Kueue distributes what tenants borrow and lend; the quota of the namespace is the hard limit behind it, for pods that no
queue admitted.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rackwright.model.capacity import PoolPart, classes_in, of_quota, parts
from rackwright.model.design import Design
from rackwright.model.tenancy import JobClass, Tenant
from rackwright.platform.object import DOMAIN, Object, make

RBAC = "rbac.authorization.k8s.io"
ROLE = "edit"
"""A default role of every cluster: objects of the namespace, but no quotas and no rights (Kubernetes, User-facing
roles).
"""
OF_SYSTEM = ("system-cluster-critical", "system-node-critical")
"""Priority classes that every cluster has, above all others (Kubernetes, Guaranteed Scheduling For Critical Add-On
Pods).
"""
QUOTA, FOREIGN = "accelerators", "foreign-classes"
SERVES_TENANTS = f"{DOMAIN}/serves-tenants"
"""Label of namespaces whose pods may reach those of tenants: gateways, monitoring."""


def objects(design: Design, resources: Mapping[str, str]) -> list[Object]:
    """Namespaces, then the objects in them; `resources`: extended resource by accelerator SKU."""
    tenants = design.site.tenants
    named = [make("v1", "Namespace", tenant.name, labels={f"{DOMAIN}/tenant": tenant.name}) for tenant in tenants]
    here = parts(design.site, design.servers, design.accelerators, "kubernetes")
    classes = classes_in(design.site, here)
    inside = [
        entry for tenant in tenants for entry in _inside(tenant, here, resources, foreign_classes(tenant, classes))
    ]
    return [*named, *inside]


def foreign_classes(tenant: Tenant, classes: Iterable[JobClass]) -> list[str]:
    """The priority classes that pods of a tenant may not use, those of the system last."""
    return [*foreign_of_site(tenant, classes), *OF_SYSTEM]


def foreign_of_site(tenant: Tenant, classes: Iterable[JobClass]) -> list[str]:
    """The job classes that are for other tenants."""
    return [job.name for job in classes if job.tenants and tenant.name not in job.tenants]


def foreign_by_tenant(design: Design) -> dict[str, list[str]]:
    """Tenant -> job classes in Kubernetes that are for others, and those of the system; empty if every class is for
    every tenant.
    """
    site = design.site
    classes = classes_in(site, parts(site, design.servers, design.accelerators, "kubernetes"))
    foreign = {tenant.name: foreign_of_site(tenant, classes) for tenant in site.tenants}
    return {name: [*names, *OF_SYSTEM] for name, names in foreign.items()} if any(foreign.values()) else {}


def no_foreign(foreign: Mapping[str, Sequence[str]], present: str, name: str) -> str:
    """The expression of a policy: no object names one of `foreign` in its namespace.

    `present` and `name` are expressions for whether an object names a class, and which, with ``{object}`` for the
    object. An object that keeps its class may be changed otherwise, so that objects older than the restriction can
    still be ended.
    """
    listed = json.dumps(foreign)
    named, former = name.format(object="object"), name.format(object="oldObject")
    unchanged = f"request.operation == 'UPDATE' && {present.format(object='oldObject')} && {former} == {named}"
    listed_here = f"request.namespace in {listed} && {named} in {listed}[request.namespace]"
    return f"!({present.format(object='object')}) || ({unchanged}) || !({listed_here})"


def most_by_tenant(objects: Iterable[Object]) -> dict[str, dict[str, str]]:
    """Tenant -> extended resource -> limit in the quota of its namespace."""
    return {
        entry["metadata"]["namespace"]: {
            key.removeprefix("requests."): number for key, number in entry["spec"]["hard"].items()
        }
        for entry in objects
        if entry["kind"] == "ResourceQuota" and entry["metadata"]["name"] == QUOTA
    }


def _inside(
    tenant: Tenant, here: list[PoolPart], resources: Mapping[str, str], foreign: Sequence[str]
) -> Iterator[Object]:
    yield from _bindings(tenant)
    yield from _quotas(tenant, here, resources)
    yield _no_pods_of(tenant, foreign)
    yield _policy(tenant)


def _no_pods_of(tenant: Tenant, foreign: Sequence[str]) -> Object:
    """A quota that allows no pods with other tenants' priority classes, by which they would displace theirs."""
    selector = {"scopeName": "PriorityClass", "operator": "In", "values": list(foreign)}
    spec = {"hard": {"pods": "0"}, "scopeSelector": {"matchExpressions": [selector]}}
    return make("v1", "ResourceQuota", FOREIGN, tenant.name, spec=spec)


def _bindings(tenant: Tenant) -> Iterator[Object]:
    people = [("User", name) for name in tenant.members.users] + [("Group", name) for name in tenant.members.groups]
    if people:
        subjects = [{"kind": kind, "name": name, "apiGroup": RBAC} for kind, name in people]
        role = {"apiGroup": RBAC, "kind": "ClusterRole", "name": ROLE}
        yield make(f"{RBAC}/v1", "RoleBinding", "members", tenant.name, roleRef=role, subjects=subjects)


def _quotas(tenant: Tenant, here: list[PoolPart], resources: Mapping[str, str]) -> Iterator[Object]:
    """The quota of accelerators: its own and those that it may borrow, in Kubernetes pools; zero for kinds without a
    quota `here`.

    A quota under Slurm does not count: a tenant without any other runs only pods without accelerators.
    """
    limits = Counter(dict.fromkeys(resources.values(), 0))
    for quota in tenant.quota:
        resource = resources.get(quota.accelerator)
        if resource and of_quota(quota, here):
            limits[resource] += quota.accelerators + quota.borrow
    if limits:
        hard = {f"requests.{resource}": str(number) for resource, number in sorted(limits.items())}
        yield make("v1", "ResourceQuota", QUOTA, tenant.name, spec={"hard": hard})


def _policy(tenant: Tenant) -> Object:
    """A policy by which pods are reached only from their own namespace and from those that serve all tenants."""
    sources = [{"podSelector": {}}, {"namespaceSelector": {"matchLabels": {SERVES_TENANTS: "true"}}}]
    spec = {"podSelector": {}, "policyTypes": ["Ingress"], "ingress": [{"from": sources}]}
    return make("networking.k8s.io/v1", "NetworkPolicy", "tenant", tenant.name, spec=spec)
