"""Finds a node for a pod: affinity, taints, other pods and what is left of resources.

Words of the reasons: kube-scheduler 1.34, plugins NodeAffinity, TaintToleration, NodeUnschedulable, NodeResourcesFit, InterPodAffinity.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rackwright.twin.kubernetes.selectors import by_labels

HOSTNAME = "kubernetes.io/hostname"
KEEPS_OFF = ("NoSchedule", "NoExecute")
CORDON = {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}
ENDED = ("Succeeded", "Failed")
SUFFIXES = {"m": 1e-3, "": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30}

Object = Mapping[str, Any]


def place(pod: Object, nodes: Sequence[Object], pods: Sequence[Object]) -> tuple[str, str]:
    """The first node that takes `pod`, and an empty text; or an empty text, and why none does."""
    refused: Counter[str] = Counter()
    for node in nodes:
        why = _scheduling_obstacle(
            pod,
            node,
            [pod_on_node for pod_on_node in pods if pod_on_node["spec"].get("nodeName") == node["metadata"]["name"]],
        )
        if not why:
            return str(node["metadata"]["name"]), ""
        refused[why] += 1
    reasons = ", ".join(f"{count} {why}" for why, count in sorted(refused.items()))
    return "", f"0/{len(nodes)} nodes are available: {reasons}."


def _scheduling_obstacle(pod: Object, node: Object, there: Sequence[Object]) -> str:
    spec = pod["spec"]
    if not _matches_affinity(spec, node):
        return "node(s) didn't match Pod's node affinity/selector"
    taints = [*(node["spec"].get("taints") or []), *([CORDON] if node["spec"].get("unschedulable") else [])]
    for taint in taints:
        if taint["effect"] in KEEPS_OFF and not any(
            _toleration_matches(toleration, taint) for toleration in spec.get("tolerations") or []
        ):
            return f"node(s) had untolerated taint {{{taint['key']}: {taint.get('value', '')}}}"
    for name, amount in _requests([pod]).items():
        free = quantity(node["status"].get("allocatable", {}).get(name, "0")) - _requests(there).get(name, 0.0)
        if amount > free:
            return f"Insufficient {name}"
    if any(_violates_affinity(pod, running) for running in there):
        return "node(s) didn't match pod anti-affinity rules"
    return ""


def _matches_affinity(spec: Object, node: Object) -> bool:
    labels = node["metadata"].get("labels") or {}
    if any(labels.get(key) != value for key, value in (spec.get("nodeSelector") or {}).items()):
        return False
    affinity = ((spec.get("affinity") or {}).get("nodeAffinity") or {}).get(
        "requiredDuringSchedulingIgnoredDuringExecution"
    )
    if not affinity:
        return True
    fields = {"metadata.name": node["metadata"]["name"]}
    return any(
        all(_in(expression, labels) for expression in term.get("matchExpressions") or [])
        and all(_in(expression, fields) for expression in term.get("matchFields") or [])
        for term in affinity["nodeSelectorTerms"]
    )


def _in(requirement: Object, values: Mapping[str, str]) -> bool:
    return bool(requirement["operator"] == "In" and values.get(requirement["key"]) in requirement["values"])


def _toleration_matches(toleration: Object, taint: Object) -> bool:
    if toleration.get("effect") not in (None, "", taint["effect"]):
        return False
    if toleration.get("operator") == "Exists":
        return toleration.get("key") in (None, "", taint["key"])
    same: bool = (toleration.get("key"), toleration.get("value", "")) == (taint["key"], taint.get("value", ""))
    return same


def _violates_affinity(pod: Object, running: Object) -> bool:
    terms = ((pod["spec"].get("affinity") or {}).get("podAntiAffinity") or {}).get(
        "requiredDuringSchedulingIgnoredDuringExecution"
    )
    labels = running["metadata"].get("labels") or {}
    return any(
        term["topologyKey"] == HOSTNAME
        and by_labels(",".join(f"{key}={value}" for key, value in term["labelSelector"]["matchLabels"].items()), labels)
        for term in terms or []
    )


def _requests(pods: Sequence[Object]) -> dict[str, float]:
    """What pods that have not ended hold: requests, which a limit alone sets as well."""
    totals: dict[str, float] = {}
    for pod in pods:
        if (pod.get("status") or {}).get("phase") not in ENDED:
            for container in pod["spec"]["containers"]:
                resources = container.get("resources") or {}
                for name, value in {**(resources.get("limits") or {}), **(resources.get("requests") or {})}.items():
                    totals[name] = totals.get(name, 0.0) + quantity(value)
    return totals


def quantity(text: object) -> float:
    """A quantity of Kubernetes (``500m``, ``2Gi``) as a number; ValueError for what is none."""
    word = str(text)
    number = word.rstrip("kmMGKi")
    return float(number) * SUFFIXES[word[len(number) :]]
