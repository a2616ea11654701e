"""The Kubernetes Job of one test over several nodes, as data.

The pods only give access to the nodes: they run the command in the file system and network of the node, so that the
same tools are measured as by any other launcher. They hold the accelerators of their node, so that nothing else runs
there.

Field names: Kubernetes API reference, batch/v1 Job and core/v1 Pod.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any

from rackwright.collect.launchers.launcher import SAY_BOOT, START_SECONDS, Launch

LABEL = "rackwright.io/test"
HOST = "/host"
AS_STEP = (
    r"""
number=0
for node in $SLURM_NODES; do
  [ "$node" = "$NODE_NAME" ] && export SLURM_PROCID=$number
  number=$((number + 1))
done
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
printf '#!/bin/sh\nprintf "%%s\\n" %s\n' "$SLURM_NODES" > "$folder/scontrol" && chmod 700 "$folder/scontrol"
export PATH="$folder:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" LC_ALL=C
"""
    + SAY_BOOT
    + '"$@"\n'
)
"""Shell script that runs the command of each pod: it sets the variables of a Slurm step, and provides a `scontrol show
hostnames` that prints the nodes.
"""


def job_name(launch: Launch, run: str) -> str:
    """Name of the Job: a DNS label, different for every test of every run."""
    words = re.sub(r"[^a-z0-9]+", "-", launch.subject.lower()).strip("-")[:30].strip("-")
    tail = hashlib.sha256(f"{run} {launch.subject} {','.join(launch.nodes)}".encode()).hexdigest()[:8]
    return f"rackwright-{words}-{tail}" if words else f"rackwright-{tail}"


def job_manifest(launch: Launch, run: str, image: str, namespace: str, resource: str) -> dict[str, Any]:
    """The Job: one pod on every node of the test, no retry, and a deadline; the pods hold the accelerators by the
    extended resource `resource`.
    """
    label = {LABEL: job_name(launch, run)}
    count = len(launch.nodes)
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": job_name(launch, run), "namespace": namespace, "labels": label},
        "spec": {
            "completions": count,
            "parallelism": count,
            "completionMode": "Indexed",
            "backoffLimit": 0,
            "activeDeadlineSeconds": round(launch.seconds + START_SECONDS),
            "ttlSecondsAfterFinished": 600,
            "template": {"metadata": {"labels": label}, "spec": _pod(launch, image, resource, label)},
        },
    }


def _pod(launch: Launch, image: str, resource: str, label: dict[str, str]) -> dict[str, Any]:
    where = {"key": "kubernetes.io/hostname", "operator": "In", "values": list(launch.nodes)}
    apart = {"labelSelector": {"matchLabels": label}, "topologyKey": "kubernetes.io/hostname"}
    return {
        "restartPolicy": "Never",
        "hostNetwork": True,
        "hostPID": True,
        "hostIPC": True,
        "automountServiceAccountToken": False,
        "affinity": {
            "nodeAffinity": {
                "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchExpressions": [where]}]}
            },
            "podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [apart]},
        },
        "tolerations": [{"operator": "Exists"}],  # nodes under test are often not accepted yet
        "containers": [_container(launch, image, resource)],
        "volumes": [{"name": "host", "hostPath": {"path": "/", "type": "Directory"}}],
    }


def _container(launch: Launch, image: str, resource: str) -> dict[str, Any]:
    limits = {"limits": {resource: str(launch.accelerators)}} if resource and launch.accelerators else {}
    return {
        "name": "test",
        "image": image,
        "command": ["chroot", HOST, "sh", "-c", AS_STEP, "rackwright", *launch.command],
        "env": [
            {"name": "NODE_NAME", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}},
            {"name": "SLURM_NODES", "value": " ".join(launch.nodes)},
            {"name": "SLURM_JOB_NODELIST", "value": ",".join(launch.nodes)},
            {"name": "SLURM_NTASKS", "value": str(len(launch.nodes))},
            {"name": "SLURM_JOB_ID", "value": hashlib.sha256(launch.subject.encode()).hexdigest()[:8]},
        ],
        "securityContext": {"privileged": True},
        "resources": limits,
        "volumeMounts": [{"name": "host", "mountPath": HOST}],
    }
