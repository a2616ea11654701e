"""The status of a node in the API: allocatable, conditions and labels, and whether its kubelet reported lately."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from rackwright.twin.kubernetes.objects import Object

GRACE_SECONDS = 50.0
"""kube-controller-manager 1.34, --node-monitor-grace-period: without a sign of its kubelet a node is not ready after it."""
HOSTNAME = "kubernetes.io/hostname"
Describe = Callable[[str], Mapping[str, Any]]
"""By name of a node: its status as its kubelet and device plugins tell it; KeyError for a machine that the twin has not."""


class Heartbeats:
    """When the kubelet of each node was heard last."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._last: dict[str, float] = {}

    def hear(self, node: str) -> None:
        """A request of the kubelet of `node` came."""
        with self._lock:
            self._last[node] = self._clock()

    def lately(self, node: str) -> bool:
        """Whether one came within the grace period."""
        with self._lock:
            return self._clock() - self._last.get(node, -GRACE_SECONDS) < GRACE_SECONDS


def node_status(node: Object, describe: Describe, heartbeat: Heartbeats) -> Object:
    """The node with its status of this moment; conditions that clients set beside those of the kubelet stay."""
    name = node["metadata"]["name"]
    reported_status = node.get("status") or {}
    try:
        facts = dict(describe(name))
    except KeyError:
        facts = {}
    conditions = {
        condition["type"]: condition
        for condition in [*reported_status.get("conditions", []), *facts.pop("conditions", [])]
    }
    if not heartbeat.lately(name):
        silent = {"status": "Unknown", "reason": "NodeStatusUnknown", "message": "Kubelet stopped posting node status."}
        conditions["Ready"] = {"type": "Ready", **silent}
    return {**node, "status": {**reported_status, **facts, "conditions": list(conditions.values())}}


def labelled(node: Object) -> Object:
    """A node as it is registered, with the label that every kubelet gives it."""
    meta = node["metadata"]
    return {**node, "metadata": {**meta, "labels": {HOSTNAME: meta["name"], **(meta.get("labels") or {})}}}
