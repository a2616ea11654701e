"""What the kubelet of a twin node reports: that it lives, what its node has to give, and how it is.

Shape: Kubernetes 1.34, pkg/kubelet/nodestatus and pkg/kubelet/nodelease: a Lease that is renewed, and the status of the node. What the
device plugins and the hardware say is the node's own answer (`rackwright/twin/tools/kubelet.py`).
"""

from __future__ import annotations

import contextlib
import datetime
import json
import socket
import subprocess
import time
from collections.abc import Callable
from http import HTTPStatus
from ssl import SSLContext
from typing import Any

from . import cluster, parts, podlogs

PERIOD_SECONDS = 10.0
"""Of the Lease: a quarter of its duration of 40 s (kubelet-config.v1beta1, nodeLeaseDurationSeconds)."""
RETRY_SECONDS = 1.0
LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases"
BOOT_ID = "/proc/sys/kernel/random/boot_id"
"""What cAdvisor, and with it the kubelet, reports as ``bootID`` (google/cadvisor, cmd/cadvisor.go, ``--boot_id_file``)."""
QUERY = ("kubectl", "--kubeconfig=/etc/kubernetes/kubelet.conf", "get", "node")


def report(node: str, endpoint: str, identity: Callable[[], SSLContext]) -> None:
    """Report forever; repeated after a pause if the API server does not answer."""
    while True:
        try:
            _renew(node, endpoint, identity())
            cluster.ask(
                endpoint, "PATCH", f"/api/v1/nodes/{node}/status", identity(),
                body={"status": _status(node, endpoint)}, content_type=cluster.STRATEGIC,
            )  # fmt: skip
        except (cluster.ApiRefusedError, OSError, ValueError):
            time.sleep(RETRY_SECONDS)
        else:
            time.sleep(PERIOD_SECONDS)


def _renew(node: str, endpoint: str, trust: SSLContext) -> None:
    lease: dict[str, Any] = {
        "kind": "Lease",
        "apiVersion": "coordination.k8s.io/v1",
        "metadata": {"name": node},
        "spec": {"holderIdentity": node, "leaseDurationSeconds": 40, "renewTime": _now()},
    }
    try:
        cluster.ask(endpoint, "PATCH", f"{LEASES}/{node}", trust, body=lease, content_type=cluster.STRATEGIC)
    except cluster.ApiRefusedError as error:
        if error.status != HTTPStatus.NOT_FOUND:
            raise
        cluster.ask(endpoint, "POST", LEASES, trust, body=lease)


def _status(node: str, endpoint: str) -> dict[str, Any]:
    printed = subprocess.run([*QUERY, node, "--output=json"], capture_output=True, check=False).stdout
    reported = json.loads(printed)["status"] if printed else _of_server()
    addresses = [{"type": "InternalIP", "address": _address(endpoint)}, {"type": "Hostname", "address": node}]
    port = {"kubeletEndpoint": {"Port": podlogs.PORT}}
    with open(BOOT_ID, encoding="ascii") as file:
        info = {**reported["nodeInfo"], "bootID": file.read().strip()}
    return {**reported, "addresses": addresses, "daemonEndpoints": port, "nodeInfo": info}


def _of_server() -> dict[str, Any]:
    """Status of a server of the control plane, without simulated hardware: it is ready, and takes no jobs."""
    information = {"kubeletVersion": f"v{parts.release('kubernetes')}"}
    return {"conditions": [{"type": "Ready", "status": "True"}], "capacity": {"pods": "110"}, "nodeInfo": information}


def _address(endpoint: str) -> str:
    """The address by which this node reaches the API server; nothing is sent."""
    host, _, port = endpoint.rpartition(":")
    with contextlib.closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as channel:
        channel.connect((host, int(port)))
        return str(channel.getsockname()[0])


def _now() -> str:
    """The current time as MicroTime of the API."""
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
