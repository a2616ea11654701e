"""What the pods of tenants print on a node of the twin, and what its API server answers their members.

Answers: Kubernetes 1.34, plugin/pkg/admission/resourcequota (exceeded quota) and the forbidden status of apiserver. Devices that a runtime
shows to every pod: NVIDIA/nvidia-container-toolkit, accept-nvidia-visible-devices-envvar-when-unprivileged, which is true by default.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence

from rackwright.judge.expect import tenants_of_pools
from rackwright.model.design import Design
from rackwright.model.evidence.tenancy import PodDevices, PodReach, RefusedPod, TenantWalls
from rackwright.twin.hardware import device_files
from rackwright.twin.hardware.state import State
from rackwright.twin.tools import Silent

QUOTA = 'pods "rackwright" is forbidden: exceeded quota: accelerators'
CLASS = 'pods "rackwright" is forbidden: exceeded quota: foreign-classes'
NAMESPACE = 'pods is forbidden: User "rackwright" cannot create resource "pods" in API group "" in the namespace'


def observe(state: State, design: Design, node: str) -> TenantWalls:
    """Every tenant of the pool with an equal share of the accelerators of the node."""
    planned, system = design.node(node), state.machines[node].system
    tenants = tenants_of_pools(design).get((planned.pool, planned.scheduler), ())
    if planned.scheduler != "kubernetes" or len(tenants) < 2:
        raise Silent(f"{node} is not shared by tenants under Kubernetes")
    open_walls = system.open_walls
    reaches = [
        PodReach(tenant=near, node=node, of=far, at=node, reached=near == far or "network" in open_walls)
        for near in tenants
        for far in tenants
    ]
    maker = design.vendors[planned.accelerator.vendor] if planned.accelerator else None
    every = [f"/dev/{name}" for name in device_files(state.machines[node], design.roots)]
    files = [file for file in every if re.match(rf"{re.escape(maker.device_file)}\d", file)] if maker else []
    return TenantWalls(
        pods=list(_pods(tenants, node, planned.accelerators, files, visible="devices" in open_walls)),
        reaches=reaches,
        refusals=list(_refusals(tenants, open_walls)),
    )


def _pods(
    tenants: Sequence[str], node: str, accelerators: int, files: Sequence[str], *, visible: bool
) -> Iterator[PodDevices]:
    share = accelerators // len(tenants)
    for number, tenant in enumerate(tenants):
        devices = list(files[number * share : (number + 1) * share])
        yield PodDevices(tenant=tenant, node=node, requested=share, devices=devices)
    for tenant in tenants:
        yield PodDevices(tenant=tenant, node=node, requested=0, devices=list(files[:accelerators]) if visible else [])


def _refusals(tenants: Sequence[str], open_walls: Sequence[str]) -> Iterator[RefusedPod]:
    for number, tenant in enumerate(tenants):
        neighbour = tenants[(number + 1) % len(tenants)]
        answers = {"quota": (QUOTA, "above"), "class": (CLASS, "foreign"), "namespace": (NAMESPACE, neighbour)}
        for about, (answer, what) in answers.items():
            yield RefusedPod(tenant=tenant, about=about, requested=what, answer="" if about in open_walls else answer)


def render(record: TenantWalls) -> bytes:
    """The lines that the collector parses to `record`."""
    return "".join(f"{line}\n" for line in _lines(record)).encode()


def _lines(record: TenantWalls) -> Iterator[str]:
    tried: set[tuple[str, str]] = set()
    for pod in record.pods:
        yield f"# pod tenant={pod.tenant} node={pod.node} requested={pod.requested}"
        yield from (f"> device {device}" for device in pod.devices)
        yield "> devices end"
        if not pod.requested and (pod.tenant, pod.node) not in tried:
            tried.add((pod.tenant, pod.node))
            for reach in record.reaches:
                if (reach.tenant, reach.node) == (pod.tenant, pod.node):
                    yield f"> reach {reach.of} {reach.at} {'open' if reach.reached else 'closed'}"
    for refusal in record.refusals:
        words = shlex.join((refusal.requested, refusal.answer))
        yield f"# asked tenant={refusal.tenant} about={refusal.about} {words}"
