"""An object of Kubernetes as a resource of `pulumi_kubernetes`: by its class where the SDK has one, else as a custom resource."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import pulumi

from rackwright.compat import kubernetes_addons

CLASSES: Mapping[tuple[str, str], tuple[str, str]] = {
    ("v1", "Node"): ("core.v1", "NodePatch"),
    ("v1", "Namespace"): ("core.v1", "Namespace"),
    ("v1", "ResourceQuota"): ("core.v1", "ResourceQuota"),
    ("rbac.authorization.k8s.io/v1", "RoleBinding"): ("rbac.v1", "RoleBinding"),
    ("networking.k8s.io/v1", "NetworkPolicy"): ("networking.v1", "NetworkPolicy"),
    ("scheduling.k8s.io/v1", "PriorityClass"): ("scheduling.v1", "PriorityClass"),
}
"""Module and class below `pulumi_kubernetes`. A node belongs to its kubelet: what is declared of it is a patch."""
PLAIN = {"apiVersion", "kind", "metadata", "spec"}


class OtherFields(pulumi.CustomResource):
    """A custom resource with more than a spec, which the SDK's own class cannot hold (``value`` of a priority class of Kueue)."""

    def __init__(self, name: str, entry: Mapping[str, Any], opts: pulumi.ResourceOptions) -> None:
        super().__init__(f"kubernetes:{entry['apiVersion']}:{entry['kind']}", name, dict(entry), opts)


def declare_object(entry: Mapping[str, Any], opts: pulumi.ResourceOptions) -> pulumi.Resource:
    """Register an object; its name in the stack is NAMESPACE/NAME."""
    api, kind, metadata = entry["apiVersion"], entry["kind"], entry["metadata"]
    name = f"{metadata['namespace']}/{metadata['name']}" if metadata.get("namespace") else metadata["name"]
    if (api, kind) in CLASSES:
        module, class_name = CLASSES[api, kind]
        fields = {_snake(key): value for key, value in entry.items() if key not in {"apiVersion", "kind"}}
        resource: pulumi.Resource = getattr(import_module(f"pulumi_kubernetes.{module}"), class_name)(
            name, **fields, opts=opts
        )
        return resource
    opts = pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(aliases=_aliases(api, kind)))
    if set(entry) <= PLAIN:
        from pulumi_kubernetes.apiextensions import CustomResource

        return CustomResource(name, api, kind, entry.get("spec"), metadata, opts)
    return OtherFields(name, entry, opts)


def _aliases(api: str, kind: str) -> list[pulumi.Input[str | pulumi.Alias]]:
    """The same object by the versions that other releases of its component serve: a new release must not delete and make it anew."""
    group = f"{api.partition('/')[0]}/"
    served = {
        release.apis[kind]
        for addon in kubernetes_addons.load().addons
        for release in addon.releases
        if release.apis.get(kind, "").startswith(group)
    }
    return [pulumi.Alias(type_=f"kubernetes:{version}:{kind}") for version in sorted(served - {api})]


def _snake(key: str) -> str:
    return re.sub(r"(?<!^)([A-Z])", r"_\1", key).lower()
