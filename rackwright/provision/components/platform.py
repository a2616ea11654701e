"""The platform of a site: a component for each part, applied by one provider as one field manager."""

from __future__ import annotations

import os
from pathlib import Path

import pulumi

from rackwright.platform.object import Object
from rackwright.platform.stack_plan import WAITING, StackPart, StackPlan
from rackwright.provision.components.accepted import AcceptedResource
from rackwright.provision.components.kubernetes_object import declare_object
from rackwright.provision.components.site_machines import SiteMachines

PACKAGE = "rackwright:platform"


class PartComponent(pulumi.ComponentResource):
    """Objects of one part. What is in a namespace comes after it."""

    def __init__(self, part: StackPart, objects: list[Object], opts: pulumi.ResourceOptions) -> None:
        super().__init__(f"{PACKAGE}:{''.join(word.title() for word in part.name.split('-'))}", part.name, {}, opts)
        self.count = len(objects)
        namespaces: dict[str, pulumi.Resource] = {}
        for entry in sorted(objects, key=lambda entry: entry["kind"] != "Namespace"):
            space = namespaces.get(entry["metadata"].get("namespace", ""))
            is_namespace = entry["kind"] == "Namespace"
            options = pulumi.ResourceOptions(
                parent=self,
                depends_on=[space] if space else [],
                # What runs in a namespace belongs to its tenant: it never goes with the stack.
                retain_on_delete=is_namespace,
            )
            resource = declare_object(entry, options)
            if is_namespace:
                namespaces[entry["metadata"]["name"]] = resource
        self.register_outputs({"objects": self.count})


def _kubeconfig() -> str | None:
    """The path of the one kubeconfig that ``KUBECONFIG`` names: the plugin runs in another folder."""
    path = os.environ.get("KUBECONFIG", "")
    return str(Path(path).resolve()) if path and os.pathsep not in path else None


class PlatformComponent(pulumi.ComponentResource):
    """Everything that Kubernetes gets from one site."""

    def __init__(self, plan: StackPlan, present_nodes: set[str], machines: SiteMachines | None = None) -> None:
        """`present_nodes`: those that have joined; labels of others follow with a later run. Nothing is applied before `machines` have reported."""
        super().__init__(f"{PACKAGE}:Platform", plan.site)
        import pulumi_kubernetes  # its tables take a second, of no use to a site that is wrong

        provider = pulumi_kubernetes.Provider(
            f"{plan.site}-cluster",
            kubeconfig=machines.reported.apply(lambda _: _kubeconfig()) if machines else _kubeconfig(),
            # Our object whose record is lost is adopted; those of others are refused before (`preflight`).
            upsert_existing_objects=True,
            opts=pulumi.ResourceOptions(parent=self),
        )
        waited = [
            AcceptedResource(f"{subject.kind} {subject.name}", subject, pulumi.ResourceOptions(parent=self))
            for subject in plan.accepted
        ]
        self.parts: dict[str, PartComponent] = {}
        for part in plan.parts:
            objects = [
                plan.applied(entry)
                for entry in part.objects
                if entry["kind"] != "Node" or entry["metadata"]["name"] in present_nodes
            ]
            before = [*(self.parts[name] for name in part.needs), *(waited if part.name == WAITING else [])]
            options = pulumi.ResourceOptions(parent=self, providers={"kubernetes": provider}, depends_on=before)
            self.parts[part.name] = PartComponent(part, objects, options)
        self.register_outputs({})
