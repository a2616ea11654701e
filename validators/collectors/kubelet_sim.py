"""Prints a node as `kubectl get node --output=json` does."""

import json

from rackwright.model.evidence.kubelet import Kubelet


def render(seen: Kubelet) -> bytes:
    """The object whose parse is `seen`."""
    taints = []
    for taint in seen.taints:
        said, _, effect = taint.rpartition(":")
        key, _, value = said.partition("=")
        taints.append({"key": key, "value": value, "effect": effect})
    node = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": seen.name, "labels": {"kubernetes.io/hostname": seen.name}},
        "spec": {"taints": taints, **({"unschedulable": True} if seen.unschedulable else {})},
        "status": {
            "allocatable": seen.allocatable,
            "capacity": seen.capacity,
            "conditions": [{"type": name, "status": status} for name, status in seen.conditions.items()],
            "nodeInfo": {"kubeletVersion": seen.version},
        },
    }
    return json.dumps(node, indent=4).encode()
