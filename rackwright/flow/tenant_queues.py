"""Queues of Kueue through which a tenant can reach accepted nodes, derived from the objects that the platform stack
applies.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rackwright.platform.object import QUEUES, REQUIRED_TOPOLOGY, Object
from rackwright.platform.stack_plan import StackPlan


@dataclass(frozen=True)
class OpenQueue:
    """A queue that has a quota for accepted nodes."""

    name: str
    """Name in the namespace of its tenant."""
    most: int
    """Devices that its jobs may have at once: its quota, and those that it may borrow."""
    job_class: str
    """A class that it accepts; empty if the site has none."""
    topology: str
    """Node label that jobs of the class require; empty for none."""


def open_queue(plan: StackPlan, accepted: Collection[str], tenant: str, resource: str) -> OpenQueue | None:
    """The first queue of a tenant with a quota of `resource` for `accepted` nodes; None if there is none."""
    objects = plan.objects()
    labels = {entry["metadata"]["name"]: entry["metadata"]["labels"] for entry in plan.nodes()}
    reached = [labels[name] for name in accepted if name in labels]
    flavors = {
        name for name, required in _flavors(objects) if any(required.items() <= node.items() for node in reached)
    }
    cluster_queues = {entry["metadata"]["name"]: entry for entry in objects if entry["kind"] == "ClusterQueue"}
    for entry in objects:
        if entry["kind"] == "LocalQueue" and entry["metadata"]["namespace"] == tenant:
            quotas = _quotas(cluster_queues[entry["spec"]["clusterQueue"]], resource)
            if most := max((most for flavor, most in quotas if flavor in flavors), default=0):
                name = entry["metadata"]["name"]
                return OpenQueue(name, most, *_class(objects, f"{tenant}/{name}"))
    return None


def _flavors(objects: list[Object]) -> Iterator[tuple[str, Mapping[str, str]]]:
    for entry in objects:
        if entry["kind"] == "ResourceFlavor":
            yield entry["metadata"]["name"], entry["spec"]["nodeLabels"]


def _quotas(queue: Mapping[str, Any], resource: str) -> Iterator[tuple[str, int]]:
    for group in queue["spec"]["resourceGroups"]:
        for flavor in group["flavors"]:
            for quota in flavor["resources"]:
                if quota["name"] == resource:
                    yield flavor["name"], int(quota["nominalQuota"]) + int(quota["borrowingLimit"])


def _class(objects: list[Object], queue: str) -> tuple[str, str]:
    for entry in objects:
        annotations = entry["metadata"].get("annotations", {})
        if entry["kind"] == "WorkloadPriorityClass" and queue in annotations.get(QUEUES, "").split(","):
            return entry["metadata"]["name"], annotations.get(REQUIRED_TOPOLOGY, "")
    return "", ""
