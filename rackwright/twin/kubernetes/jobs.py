"""What the control plane does by itself: Jobs make pods, pods get nodes, what is over goes. One `step` at a time.

Shape: Kubernetes 1.34, controllers job, ttl-after-finished and
garbage collector; backoffLimit 0 alone, because rackwright asks for no second try.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from rackwright.twin.kubernetes import objects, scheduler
from rackwright.twin.kubernetes.objects import KubernetesObjects, Object
from rackwright.twin.kubernetes.resources import JOBS, PODS, Resource

INDEX = "batch.kubernetes.io/job-completion-index"
JOB_NAME = "batch.kubernetes.io/job-name"
FINISHED = ("Complete", "Failed")


class Controllers:
    """The controllers of one cluster."""

    def __init__(self, store: KubernetesObjects, nodes: Callable[[], list[Object]]) -> None:
        """`nodes`: the nodes as clients read them now, with what they can give away."""
        self._store, self._nodes = store, nodes

    def step(self, now: datetime | None = None) -> None:
        """Everything that is due at `now`."""
        at = now or datetime.now(UTC)
        with self._store.lock:
            for job in list(self._store.all(JOBS)):
                self._job(job, at)
            for key in self._store.orphans():
                self._store.drop(key)
            self._schedule()

    def _job(self, job: Object, at: datetime) -> None:
        spec, status = job["spec"], job.get("status") or {}
        ended = next((condition for condition in status.get("conditions", []) if condition["type"] in FINISHED), None)
        if ended:
            seconds_kept = spec.get("ttlSecondsAfterFinished")
            if seconds_kept is not None and _seconds_since(ended["lastTransitionTime"], at) >= seconds_kept:
                self._store.delete(JOBS, job["metadata"]["namespace"], job["metadata"]["name"])
            return
        phases = [condition["status"]["phase"] for condition in self._pods(job)]
        count = int(spec.get("completions", 1))
        if "startTime" not in status:
            self._status(job, {"startTime": objects.now(), "active": count})
            for index in range(count):
                self._store.create(PODS, job["metadata"]["namespace"], _pod(job, str(index)))
        elif "Failed" in phases or len(phases) < count:  # a pod that somebody deleted has failed, too
            self._end(job, "Failed", "BackoffLimitExceeded", "Job has reached the specified backoff limit")
        elif _seconds_since(status["startTime"], at) >= spec.get("activeDeadlineSeconds", math.inf):
            self._end(job, "Failed", "DeadlineExceeded", "Job was active longer than specified deadline")
        elif phases.count("Succeeded") >= count:
            self._end(job, "Complete", "CompletionsReached", "Reached expected number of succeeded pods")

    def _end(self, job: Object, kind: str, reason: str, message: str) -> None:
        for pod in self._pods(job):
            if pod["status"]["phase"] not in scheduler.ENDED:
                self._store.delete(PODS, pod["metadata"]["namespace"], pod["metadata"]["name"])
        condition = {"type": kind, "status": "True", "reason": reason, "message": message}
        self._status(job, {"conditions": [{**condition, "lastTransitionTime": objects.now()}], "active": 0})

    def _status(self, job: Object, more: Mapping[str, Any]) -> None:
        before = job.get("status") or {}
        if any(before.get(key) != value for key, value in more.items()):
            self._replace(JOBS, {**job, "status": {**before, **more}})

    def _pods(self, job: Object) -> list[Object]:
        meta = job["metadata"]
        pods = self._store.all(PODS, meta["namespace"])
        return [
            pod
            for pod in pods
            if any(owner["uid"] == meta["uid"] for owner in pod["metadata"].get("ownerReferences") or [])
        ]

    def _schedule(self) -> None:
        nodes = self._nodes()
        for pod in list(self._store.all(PODS)):
            if pod["spec"].get("nodeName") or pod["status"]["phase"] in scheduler.ENDED:
                continue
            name, why = scheduler.place(pod, nodes, list(self._store.all(PODS)))
            condition = {"type": "PodScheduled", "status": "True" if name else "False"}
            condition |= {} if name else {"reason": "Unschedulable", "message": why}
            after = {**pod, "spec": {**pod["spec"], **({"nodeName": name} if name else {})}}
            after["status"] = {**pod["status"], "conditions": [condition]}
            if after != pod:
                self._replace(PODS, after)

    def _replace(self, resource: Resource, after: Object) -> None:
        self._store.change(resource, after["metadata"]["namespace"], after["metadata"]["name"], lambda _before: after)


def _pod(job: Object, index: str) -> Object:
    meta, template = job["metadata"], job["spec"]["template"]
    tail = hashlib.sha256(f"{meta['uid']} {index}".encode()).hexdigest()[:5]
    indexed = job["spec"].get("completionMode") == "Indexed"
    owner = {"apiVersion": "batch/v1", "kind": "Job", "name": meta["name"], "uid": meta["uid"], "controller": True}
    metadata = template.get("metadata") or {}
    return {
        "metadata": {
            "name": f"{meta['name']}-{index}-{tail}" if indexed else f"{meta['name']}-{tail}",
            "labels": {**(metadata.get("labels") or {}), JOB_NAME: meta["name"]},
            "annotations": {**(metadata.get("annotations") or {}), **({INDEX: index} if indexed else {})},
            "ownerReferences": [owner],
        },
        "spec": template["spec"],
        "status": {"phase": "Pending"},
    }


def _seconds_since(text: str, at: datetime) -> float:
    return (at - datetime.fromisoformat(text)).total_seconds()
