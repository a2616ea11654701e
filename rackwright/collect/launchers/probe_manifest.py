"""The Kubernetes objects that run the probe on nodes, as data: one Job per node, and the probe in a ConfigMap.

A pod only gives access to its node: it runs the probe in the file system and the process namespace of the node, beside
whatever runs there. It holds no accelerator, uses no service account, carries no secret, and ends by itself. Field
names: Kubernetes API reference, batch/v1 Job, core/v1 Pod and ConfigMap.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from rackwright.collect import wire
from rackwright.collect.launchers.launcher import KILL_SECONDS

RUN, NODE = "rackwright.io/probe", "rackwright.io/node"
"""Labels: for all objects of one run, and for the node that a pod is for."""
HOST, MOUNT = "/host", "/rackwright"
SESSION = 'command -v runuser >/dev/null && exec runuser -s /bin/sh -c "$1" root; exec sh -c "$1"'
"""Run by the shell of the node: its argument with the limits of a login session (pam_limits), because checks judge
those limits.
"""
START = f'{{ cat {MOUNT}/probe; printf %s "$2"; }} | chroot {HOST} sh -c \'{SESSION}\' sh "$1"'
"""Run by the shell of the image: its first argument is the shell command of the probe, its second the questions."""
KEPT_SECONDS = 600
"""Seconds after which Kubernetes removes the ended Jobs of a run that was killed."""
NAME = "metadata.name"


def label(run: str) -> str:
    """Value of the label `RUN` for a run."""
    return hashlib.sha256(run.encode()).hexdigest()[:16]


def name(run: str, what: str) -> str:
    """A name that is a DNS label, for the object `what` of a run."""
    return f"rackwright-probe-{hashlib.sha256(f'{run} {what}'.encode()).hexdigest()[:16]}"


def config_map(run: str, batch: int, namespace: str, zipapp: bytes) -> dict[str, Any]:
    """The ConfigMap with the probe, as the first part of the input of its bootstrap (`wire.probe_bytes`)."""
    content = base64.b64encode(wire.probe_payload(zipapp)).decode()
    meta = {"name": name(run, f"batch {batch}"), "namespace": namespace, "labels": {RUN: label(run)}}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta, "binaryData": {"probe": content}}


def owners(jobs: Mapping[str, str]) -> str:
    """The patch that makes `jobs` (name -> uid) owners of a ConfigMap, so that it is deleted with the last of them."""
    each = [{"apiVersion": "batch/v1", "kind": "Job", "name": job, "uid": uid} for job, uid in jobs.items()]
    return json.dumps({"metadata": {"ownerReferences": each}})


def job(run: str, batch: int, node: str, questions: str, seconds: float, image: str, namespace: str) -> dict[str, Any]:
    """The Job that queries `node`; `questions` is the text of `wire.question_bytes`, `seconds` its time limit including
    the start.
    """
    labels = {RUN: label(run), NODE: node}
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": name(run, f"node {node}"), "namespace": namespace, "labels": labels},
        "spec": {
            "completions": 1,
            "parallelism": 1,
            "backoffLimit": 0,
            "activeDeadlineSeconds": round(seconds),
            "ttlSecondsAfterFinished": KEPT_SECONDS,
            "template": {"metadata": {"labels": labels}, "spec": _pod(run, batch, node, questions, image)},
        },
    }


def listed(objects: Sequence[Mapping[str, Any]]) -> bytes:
    """Several objects as one stream of documents for kubectl, which validates each by its own kind."""
    return b"\n".join(json.dumps(manifest).encode() for manifest in objects)


def _pod(run: str, batch: int, node: str, questions: str, image: str) -> dict[str, Any]:
    only = {"matchFields": [{"key": NAME, "operator": "In", "values": [node]}]}  # as the pods of a DaemonSet are placed
    mounts = [{"name": "host", "mountPath": HOST}, {"name": "probe", "mountPath": MOUNT, "readOnly": True}]
    return {
        "restartPolicy": "Never",
        "hostNetwork": True,
        "hostPID": True,
        "hostIPC": True,
        "automountServiceAccountToken": False,
        "enableServiceLinks": False,
        "terminationGracePeriodSeconds": KILL_SECONDS,
        "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [only]}}},
        "tolerations": [{"operator": "Exists"}],  # the nodes to query are those not accepted yet
        "containers": [
            {
                "name": "probe",
                "image": image,
                "command": ["sh", "-c", START, "rackwright", wire.COMMAND, questions],
                "securityContext": {"privileged": True},
                "volumeMounts": mounts,
            }
        ],
        "volumes": [
            {"name": "host", "hostPath": {"path": "/", "type": "Directory"}},
            {"name": "probe", "configMap": {"name": name(run, f"batch {batch}")}},
        ],
    }
