"""A Kubernetes node as the gate reads it, and the changes that the gate writes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from rackwright.model.gate import Decision
from rackwright.model.times import second_text
from rackwright.platform.acceptance_guard import CONDITION, REASON, TAINT

EFFECT = "NoSchedule"
VALUES = ("pending", "refused")
"""Values that rackwright gives to its taint; the same key with a different value is a foreign taint."""


@dataclass(frozen=True)
class KubernetesNode:
    """One node as the API server reports it."""

    name: str
    cordoned: bool
    ours: tuple[str, ...]
    """Our taint as ``value:effect``, once per effect."""
    others: tuple[str, ...]
    """Foreign taints that keep pods away, as ``key=value:effect``."""
    reason: str
    accepted: str
    """Status of our condition (``True``, ``False``), empty without one."""
    version: str
    """``metadata.resourceVersion``: the API server compares writes with it."""
    taints: tuple[Mapping[str, Any], ...]
    """All taints, as in the API."""
    boot: str = ""
    """Boot id of the kernel under its kubelet; empty if the kubelet did not report it."""


def parse(data: Any) -> KubernetesNode:
    """A node of the API. Raises ValueError if malformed."""
    try:
        spec, meta = data["spec"], data["metadata"]
        taints = spec.get("taints") or []
        return KubernetesNode(
            name=str(meta["name"]),
            cordoned=bool(spec.get("unschedulable", False)),
            ours=tuple(f"{taint['value']}:{taint['effect']}" for taint in taints if _is_our_taint(taint)),
            others=tuple(
                _taint_text(taint)
                for taint in taints
                if not _is_our_taint(taint) and taint["effect"] != "PreferNoSchedule"
            ),
            reason=str((meta.get("annotations") or {}).get(REASON, "")),
            accepted=_condition(data),
            version=str(meta["resourceVersion"]),
            taints=tuple(taints),
            boot=str(((data.get("status") or {}).get("nodeInfo") or {}).get("bootID", "")),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"this is no node: {error}") from error


def _is_our_taint(taint: Mapping[str, Any]) -> bool:
    return taint["key"] == TAINT and taint.get("value") in VALUES


def _taint_text(taint: dict[str, Any]) -> str:
    value = f"={taint['value']}" if taint.get("value") else ""
    return f"{taint['key']}{value}:{taint['effect']}"


def _condition(data: dict[str, Any]) -> str:
    conditions = (data.get("status") or {}).get("conditions") or []
    return next((str(condition["status"]) for condition in conditions if condition["type"] == CONDITION), "")


def condition_patch(decision: Decision, node: KubernetesNode, now: datetime) -> dict[str, Any]:
    """The change of the status that sets our condition."""
    status, time = "True" if decision.accepted else "False", second_text(now)
    condition = {
        "type": CONDITION,
        "status": status,
        "reason": "GateOpen" if decision.accepted else "GateClosed",
        "message": decision.reason,
        "lastHeartbeatTime": time,
        **({"lastTransitionTime": time} if node.accepted != status else {}),
    }
    return {"status": {"conditions": [condition]}}


def taint_patch(decision: Decision, node: KubernetesNode) -> dict[str, Any]:
    """The change that sets or removes the taint and stores the reason, for the version that was read; foreign taints
    stay.
    """
    our_taints = [] if decision.accepted else [{"key": TAINT, "value": "refused", "effect": EFFECT}]
    foreign = [taint for taint in node.taints if not _is_our_taint(taint)]
    meta = {"resourceVersion": node.version, "annotations": {REASON: decision.reason}}
    return {"metadata": meta, "spec": {"taints": [*foreign, *our_taints]}}
