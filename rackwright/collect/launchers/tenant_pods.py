"""The pods that test the isolation between tenants, as data.

A holder of each tenant holds accelerators of a node and listens on a port; a visitor requests none, sets the variable
that makes a runtime expose all of them, and connects to every holder. Any member of a tenant may run both: they need no
privileges and nothing of the node.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rackwright.collect.launchers.manifest import LABEL

PORT = 8479
HOST_NAME = "kubernetes.io/hostname"
NOBODY = 65534
RESTRICTED = {
    "allowPrivilegeEscalation": False,
    "runAsNonRoot": True,
    "runAsUser": NOBODY,
    "capabilities": {"drop": ["ALL"]},
    "seccompProfile": {"type": "RuntimeDefault"},
}
"""Satisfies the strictest of the Pod Security Standards, so that a namespace that enforces it refuses none of these
pods for another reason.
"""
DEVICES = r"""
for file in "$FILES"[0-9]*; do [ -e "$file" ] && echo "device $file"; done
echo 'devices end'
"""
HOLD = (
    DEVICES
    + r"""
if command -v python3 >/dev/null; then exec python3 -c '
import socket, sys
with socket.create_server(("", int(sys.argv[1]))) as server:
    while True:
        channel, _ = server.accept()
        channel.sendall(b"rackwright\n")
        channel.close()
' "$PORT"; fi
while :; do echo rackwright | nc -l -p "$PORT"; done
"""
)
VISIT = (
    DEVICES
    + r"""
reach() {
  if command -v python3 >/dev/null; then python3 -c '
import socket, sys
with socket.create_connection((sys.argv[1], int(sys.argv[2])), 2) as channel:
    sys.stdout.write(channel.recv(20).decode())
' "$1" "$PORT" 2>/dev/null; else nc -w 2 "$1" "$PORT" </dev/null 2>/dev/null; fi
}
for holder in $HOLDERS; do
  tenant=${holder%%/*} rest=${holder#*/} state=closed
  for try in 1 2 3 4 5; do
    case $(reach "${rest#*/}") in *rackwright*) state=open; break ;; esac
    sleep 1
  done
  echo "reach $tenant ${rest%%/*} $state"
done
"""
)
"""A closed connection is tried again: a network plugin may learn of a new pod a moment after it runs."""


@dataclass(frozen=True)
class TenantPod:
    """A pod of one tenant on one node."""

    tenant: str
    node: str
    resource: str
    requested: int
    """Accelerators; 0 for a visitor."""

    @property
    def name(self) -> str:
        """Unique in the namespace of the tenant."""
        return f"rackwright-{'holder' if self.requested else 'visitor'}-{self.node}"


@dataclass(frozen=True)
class PodAccelerators:
    """What pods need to know about the accelerators of a node."""

    device_file: str
    """Path of the device files, without their number."""
    visible_devices: str
    """Variable that names devices to the runtime; empty if there is none."""
    count: int


def pod_manifest(
    pod: TenantPod, image: str, test: str, part: PodAccelerators, holders: Mapping[tuple[str, str], str]
) -> dict[str, Any]:
    """Manifest of a pod; `holders` maps (tenant, node) to the address of the holder."""
    env = {"FILES": part.device_file, "PORT": str(PORT)}
    if not pod.requested:
        env["HOLDERS"] = " ".join(f"{tenant}/{node}/{address}" for (tenant, node), address in holders.items())
        if part.visible_devices:
            env[part.visible_devices] = ",".join(map(str, range(part.count)))
    container = {
        "name": "pod",
        "image": image,
        "command": ["sh", "-c", HOLD if pod.requested else VISIT],
        "env": [{"name": name, "value": value} for name, value in env.items()],
        "securityContext": RESTRICTED,
        **({"resources": {"limits": {pod.resource: str(pod.requested)}}} if pod.requested else {}),
    }
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": pod.name, "namespace": pod.tenant, "labels": {LABEL: test}},
        "spec": {**_spec(container), "nodeSelector": {HOST_NAME: pod.node}},
    }


def refused_pod(
    namespace: str, image: str, resource: str, devices: int, priority: str = "", labels: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Manifest of a pod that the API server must refuse."""
    limits = {"resources": {"limits": {resource: str(devices)}}} if devices else {}
    container = {"name": "pod", "image": image, "command": ["true"], "securityContext": RESTRICTED, **limits}
    spec = {**_spec(container), **({"priorityClassName": priority} if priority else {})}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "rackwright", "namespace": namespace, "labels": dict(labels or {})},
        "spec": spec,
    }


def _spec(container: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "restartPolicy": "Never",
        "automountServiceAccountToken": False,
        "terminationGracePeriodSeconds": 0,
        "containers": [container],
    }


def printed(pod: TenantPod, log: str) -> list[str]:
    """Output of a pod, below a line that names the pod."""
    head = f"# pod tenant={pod.tenant} node={pod.node} requested={pod.requested}"
    return [head, *(f"> {line}" for line in log.splitlines())]


def share(accelerators: int, most: Mapping[str, int], nodes: Sequence[str]) -> dict[str, int]:
    """Tenant of `most` -> accelerators that its holder requests on each of `nodes`: equal parts, limited by its quota."""
    part = accelerators // len(most)
    return {tenant: min(part, limit // len(nodes)) for tenant, limit in most.items()}
