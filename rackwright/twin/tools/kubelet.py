"""What Kubernetes prints of a node of the twin."""

from __future__ import annotations

import json

from rackwright.base.content import Roots
from rackwright.model.accelerator import Accelerator
from rackwright.model.design import Design, Node
from rackwright.model.evidence.kubelet import Kubelet
from rackwright.twin.hardware import ids
from rackwright.twin.hardware.state import State
from rackwright.twin.tools import Failed

ANSWERED = True
PRESSURES = ("MemoryPressure", "DiskPressure", "PIDPressure")
RESERVED_CPUS, RESERVED_GIB = 4, 32
"""What the role kubernetes_node keeps for the system."""
KIB_PER_GIB = 2**20
TAINT = "rackwright.io/acceptance=pending:NoSchedule"


def observe(state: State, design: Design, node: str) -> Kubelet:
    """The node with what it can give away; unknown to the API where its kubelet was never joined."""
    planned = design.node(node)
    if planned.scheduler != "kubernetes":
        raise Failed(1, "error: stat /etc/kubernetes/kubelet.conf: no such file or directory")
    system = state.machines[node].system
    pressures = {name: str(name in system.kubelet_pressure) for name in PRESSURES}
    cpus = system.sockets * system.cores_per_socket * system.threads_per_core
    return Kubelet(
        name=node,
        conditions={**pressures, "Ready": str(system.kubelet_ready)},
        allocatable=_quantities(state, planned, cpus - RESERVED_CPUS, RESERVED_GIB, design.roots),
        capacity=_quantities(state, planned, cpus, 0, design.roots),
        taints=[TAINT],
        unschedulable=False,
        version=f"v{design.site.software.bill(planned.pool).kubernetes}",
    )


def _quantities(state: State, node: Node, cpus: int, less_gib: int, roots: Roots) -> dict[str, str]:
    machine = state.machines[node.name]
    system = machine.system
    quantities = {
        "cpu": str(cpus if system.kubelet_cpus is None else system.kubelet_cpus),
        "memory": f"{(node.server.memory_gib - less_gib) * KIB_PER_GIB}Ki",
        "pods": "110",
    }
    count = (
        sum(gpu.present for gpu in machine.gpus) if system.kubelet_accelerators is None else system.kubelet_accelerators
    )
    resource = _resource(node.accelerator, roots) if node.accelerator else ""
    return quantities | ({resource: str(count)} if resource else {})


def _resource(part: Accelerator, roots: Roots) -> str:
    """Of the device plugin of its maker."""
    facts = ids.of_vendor(part.vendor, roots)
    return str(facts.get("kubernetes_resources", {}).get(part.architecture) or facts.get("kubernetes_resource", ""))


def render(record: Kubelet) -> bytes:
    """The object that the collector parses to `record`."""
    taints = []
    for taint in record.taints:
        pair, _, effect = taint.rpartition(":")
        key, _, value = pair.partition("=")
        taints.append({"key": key, "value": value, "effect": effect})
    node = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": record.name, "labels": {"kubernetes.io/hostname": record.name}},
        "spec": {"taints": taints, **({"unschedulable": True} if record.unschedulable else {})},
        "status": {
            "allocatable": record.allocatable,
            "capacity": record.capacity,
            "conditions": [{"type": name, "status": status} for name, status in record.conditions.items()],
            "nodeInfo": {"kubeletVersion": record.version},
        },
    }
    return json.dumps(node, indent=4).encode()
