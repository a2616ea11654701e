"""Decides when an object is ready, by kind; pure.

The conditions are those that the official plugin waits for (pulumi/pulumi-kubernetes, provider/pkg/await, read
2026-11-25), and `WAIT_FOR` is its annotation for every other kind. The official plugin also waits until a ResourceQuota
is counted, although the quota can be used before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rackwright.kubernetes.ownership import annotation

SKIP = "pulumi.com/skipAwait"
WAIT_FOR = "pulumi.com/waitFor"
PREFIX = "condition="
Object = Mapping[str, Any]


class NeverReadyError(Exception):
    """The object has failed for good; the text is the reason."""


def unready(entry: Object) -> str:
    """Why an object is not ready yet; empty if it is. Raises `NeverReadyError` if it never will be."""
    if annotation(entry, SKIP) == "true":
        return ""
    if required := annotation(entry, WAIT_FOR):
        kind, _, value = required.removeprefix(PREFIX).partition("=")
        return _condition(entry, kind, value or "True")
    check = BY_KIND.get(entry.get("kind", ""))
    return check(entry) if check else ""


def wait_for_problem(entry: Object) -> str:
    """The defect of the annotation `WAIT_FOR`; empty if it is valid."""
    required = annotation(entry, WAIT_FOR)
    if not required or (required.startswith(PREFIX) and len(required) > len(PREFIX)):
        return ""
    return f"is {required}: write condition=TYPE or condition=TYPE=STATUS"


def _condition(entry: Object, kind: str, value: str = "True") -> str:
    conditions = {c.get("type"): c for c in _status(entry).get("conditions") or []}
    condition = conditions.get(kind)
    if condition is None:
        return f"condition {kind} is not set yet"
    if str(condition.get("status")).lower() == value.lower():
        return ""
    return f"{kind} is {condition.get('status')}: {condition.get('message') or condition.get('reason') or 'no reason'}"


def _status(entry: Object) -> Object:
    return entry.get("status") or {}


def _workload(entry: Object) -> str:
    """Why a Deployment or StatefulSet is not ready; empty if it is."""
    status, required = _status(entry), entry.get("spec", {}).get("replicas", 1)
    if status.get("observedGeneration", 0) < entry["metadata"].get("generation", 0):
        return "its controller has not looked at it yet"
    ready = min(status.get("updatedReplicas", 0), status.get("readyReplicas", 0))
    return "" if ready >= required else f"{ready} of {required} replicas are ready"


def _daemon_set(entry: Object) -> str:
    status = _status(entry)
    if status.get("observedGeneration", 0) < entry["metadata"].get("generation", 0):
        return "its controller has not looked at it yet"
    required = status.get("desiredNumberScheduled", 0)
    ready = min(status.get("updatedNumberScheduled", 0), status.get("numberReady", 0))
    return "" if ready >= required else f"{ready} of {required} pods are ready"


def _job(entry: Object) -> str:
    if not _condition(entry, "Failed"):
        failed = next(c for c in _status(entry)["conditions"] if c["type"] == "Failed")
        raise NeverReadyError(f"the job has failed: {failed.get('message') or failed.get('reason')}")
    return _condition(entry, "Complete")


def _pod(entry: Object) -> str:
    phase = _status(entry).get("phase")
    if phase == "Failed":
        raise NeverReadyError("the pod has failed")
    return "" if phase == "Succeeded" else _condition(entry, "Ready")


def _namespace(entry: Object) -> str:
    phase = _status(entry).get("phase", "Active")
    return "" if phase == "Active" else f"it is {phase}"


def _definition(entry: Object) -> str:
    for condition in _status(entry).get("conditions") or []:
        if condition["type"] == "NamesAccepted" and condition["status"] == "False":
            raise NeverReadyError(f"its names are taken: {condition.get('message')}")
    return _condition(entry, "Established")


def _claim(entry: Object) -> str:
    phase = _status(entry).get("phase")
    return "" if phase == "Bound" else f"it is {phase or 'not bound yet'}"


def _service(entry: Object) -> str:
    if entry.get("spec", {}).get("type") != "LoadBalancer":
        return ""
    return (
        "" if (_status(entry).get("loadBalancer") or {}).get("ingress") else "it has no address of a load balancer yet"
    )


BY_KIND: Mapping[str, Callable[[Object], str]] = {
    "Deployment": _workload,
    "StatefulSet": _workload,
    "DaemonSet": _daemon_set,
    "Job": _job,
    "Pod": _pod,
    "Namespace": _namespace,
    "CustomResourceDefinition": _definition,
    "APIService": lambda entry: _condition(entry, "Available"),
    "PersistentVolumeClaim": _claim,
    "Service": _service,
}
