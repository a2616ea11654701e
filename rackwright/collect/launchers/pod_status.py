"""Why a pod does not run, or how it ended, in one sentence.

Field names: Kubernetes API reference, core/v1 PodStatus, ContainerState, NodeStatus and Event.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Object = Mapping[str, Any]


def not_ready(node: Object | None, name: str) -> str:
    """Why no pod can run on a node; empty if one can. Cordons and taints do not keep our pods away."""
    if node is None:
        return f"Kubernetes does not know {name}: join it, or ask it over SSH"
    conditions = (node.get("status") or {}).get("conditions") or []
    ready = next((condition for condition in conditions if condition["type"] == "Ready"), None)
    if ready is None or ready["status"] != "True":
        words = [ready.get("reason", ""), ready.get("message", "")] if ready else ["it has no condition Ready"]
        reason = ": ".join(filter(None, words))
        return f"{name} is not ready in Kubernetes ({reason or 'no reason'}): look at its kubelet, or ask it over SSH"
    return ""


def pending(pod: Object | None, events: Sequence[Object]) -> str:
    """Why a pod has not started; `events` are the warnings about it, or about its Job if there is no pod yet."""
    if pod is None:
        return f"its Job made no pod{_last_event(events)}"
    status = pod.get("status") or {}
    conditions = status.get("conditions") or []
    placed = next((condition for condition in conditions if condition["type"] == "PodScheduled"), None)
    if placed is not None and placed["status"] != "True":
        return f"{placed.get('reason') or 'not scheduled'}: {placed.get('message') or 'no reason given'}"
    for condition in status.get("containerStatuses") or []:
        waiting = (condition.get("state") or {}).get("waiting") or {}
        if waiting.get("message") or waiting.get("reason", "ContainerCreating") != "ContainerCreating":
            return ": ".join(filter(None, [waiting.get("reason"), waiting.get("message")]))
    if placed is None:
        return f"no scheduler has looked at it{_last_event(events)}"
    return f"its container was not created{_last_event(events) or ', and nobody says why: look at the kubelet of the node'}"


def ended(pod: Object) -> str:
    """How the container of a pod failed: exit status and reason; empty if it did not."""
    status = pod.get("status") or {}
    for container in status.get("containerStatuses") or []:
        over = (container.get("state") or {}).get("terminated")
        if over and over.get("exitCode"):
            return f"{over.get('reason') or 'Error'}, exit status {over['exitCode']}"
    return ": ".join(filter(None, [status.get("reason"), status.get("message")]))


def _last_event(events: Sequence[Object]) -> str:
    messages = [str(event.get("message")) for event in events if event.get("message")]
    return f" ({messages[-1]})" if messages else ""
