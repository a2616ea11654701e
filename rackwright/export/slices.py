"""Rented slices as Kubernetes of their cloud takes them: a topology, a flavor and a queue of Kueue, with the node pools that they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rackwright.compat import kubernetes_addons
from rackwright.model.design import Design
from rackwright.platform.object import Object, make

NODE_POOL = "cloud.google.com/gke-nodepool"
"""Label by which the hosts of one slice belong together: each slice is a node pool (Google Kubernetes Engine, About TPUs in GKE)."""
HOST = "kubernetes.io/hostname"
QUEUE = "slices"


def head(design: Design) -> str:
    """Which cluster the objects are for, and the node pools that it needs, as comments."""
    lines = [
        f"Rented slices of {design.site.site}, written by rackwright export. Change the site, not this file.",
        "For the cluster of their cloud, with Kueue and topology-aware scheduling, never for the site's own. Node pools to create there:",
        *_node_pools(design),
        "A slice of several hosts is made and replaced as one. rackwright neither brings its nodes up nor accepts them.",
    ]
    return "".join(f"# {line}\n" for line in lines)


def _node_pools(design: Design) -> Iterator[str]:
    for row in design.studies["slices"]:
        for number in range(1, row["slices"] + 1):
            yield (
                f"  {row['name']}-{number}: machine type {row['instance']}, topology {row['topology']}, {row['hosts_per_slice']} nodes, zone {row['zone']}"
            )


def objects(design: Design) -> list[Object]:
    """The topology of a slice, a flavor for each set, and a queue with all chips of each."""
    addons, site = kubernetes_addons.load(), design.site
    version = site.control.kubernetes.addon_version("kueue") if site.control.kubernetes else ""

    def api(kind: str) -> str:
        return addons.api("kueue", kind, version)

    rows = design.studies["slices"]
    levels = [{"nodeLabel": NODE_POOL}, {"nodeLabel": HOST}]
    flavors = [make(api("ResourceFlavor"), "ResourceFlavor", row["name"], spec=_flavor(row)) for row in rows]
    spec = {"namespaceSelector": {}, "queueingStrategy": "BestEffortFIFO", "resourceGroups": _groups(rows)}
    return [
        make(api("Topology"), "Topology", QUEUE, spec={"levels": levels}),
        *flavors,
        make(api("ClusterQueue"), "ClusterQueue", QUEUE, spec=spec),
    ]


def _flavor(row: dict[str, Any]) -> dict[str, Any]:
    """Flavor of a set of slices. Its labels are those that GKE gives to nodes of the slice; GKE also taints them with the name of the resource."""
    tolerations = [{"key": row["resource"], "operator": "Exists", "effect": "NoSchedule"}]
    return {"nodeLabels": row["labels"], "tolerations": tolerations, "topologyName": QUEUE}


def _groups(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Resource groups of the queue, one for each resource."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        quota = {"name": row["resource"], "nominalQuota": str(row["chips"])}
        groups.setdefault(row["resource"], []).append({"name": row["name"], "resources": [quota]})
    return [{"coveredResources": [resource], "flavors": flavors} for resource, flavors in groups.items()]
