"""Starts tests as Kubernetes Jobs through the ``kubectl`` of this machine: create, watch, read the logs, delete.

The Job is deleted whatever the result of the test. A Job that survives this process ends at its own deadline and is
removed by Kubernetes.
"""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass

from rackwright.base import foreign
from rackwright.collect.launchers import manifest, pod_status
from rackwright.collect.launchers.kubectl import Kubectl, KubectlError
from rackwright.collect.launchers.launcher import START_SECONDS, Launch
from rackwright.collect.launchers.tasks import joined
from rackwright.collect.output import Output

LOOK_SECONDS = 2.0
"""Seconds between two looks at a Job."""


@dataclass(frozen=True)
class KubernetesLauncher:
    """`launcher.Launcher` by Jobs."""

    image: str
    """Any image with a shell and ``chroot``: the tools are those of the node."""
    run: str
    """Suffix that distinguishes the Jobs of this run from those of others."""
    namespace: str = "default"
    resource: str = ""
    """Extended resource with which its pods hold accelerators (``nvidia.com/gpu``); empty: they hold none."""

    async def launch(self, request: Launch) -> Output:
        """The logs of all pods. The Kubernetes API says which node each log is from."""
        begun = time.monotonic()
        name = manifest.job_name(request, self.run)
        document = manifest.job_manifest(request, self.run, self.image, self.namespace, self.resource)
        rc, error = None, ""
        logs: dict[str, bytes] = {}
        kubectl = Kubectl(self.namespace)
        try:
            await kubectl.call("create", "--filename=-", feed=json.dumps(document).encode())
            try:
                rc = await _ended(kubectl, name, time.monotonic() + request.seconds + 2 * START_SECONDS)
                if rc is None:
                    error = f"Job {name} did not end within {request.seconds + 2 * START_SECONDS:g} s{await _waits(kubectl, name)}"
                logs = await _logs(kubectl, name)
            finally:
                await kubectl.call("delete", f"job/{name}", "--ignore-not-found", "--wait=false")
        except (KubectlError, ValueError, KeyError, TypeError) as failure:
            error = error or f"Kubernetes: {failure}"
        output = Output("kubernetes", "", "", rc=rc, seconds=time.monotonic() - begun, error=error, tool="kubectl")
        return joined(output, request, logs)


async def _ended(kubectl: Kubectl, name: str, deadline: float) -> int | None:
    """0 if all pods succeeded, 1 if the Job failed, None if it did not end before `deadline`."""
    while time.monotonic() < deadline:
        job = await kubectl.json("get", f"job/{name}")
        status = job.get("status") or {}  # a Job that nobody has looked at has none
        kinds = {condition["type"] for condition in status.get("conditions") or [] if condition["status"] == "True"}
        if "Complete" in kinds:
            return 0
        if "Failed" in kinds:
            return 1
        await asyncio.sleep(LOOK_SECONDS)
    return None


async def _waits(kubectl: Kubectl, name: str) -> str:
    """Which pods of a Job have not started, and why the first of them has not; empty if all have."""
    pods = (await kubectl.json("get", "pods", f"--selector={manifest.LABEL}={name}"))["items"]
    stuck = [pod for pod in pods if (pod.get("status") or {}).get("phase") == "Pending"]
    if pods and not stuck:
        return ""
    about = stuck[0]["metadata"]["name"] if stuck else name
    events = (await kubectl.json("get", "events", f"--field-selector=involvedObject.name={about},type=Warning"))[
        "items"
    ]
    return f"; {len(stuck)} of its pods wait: {pod_status.pending(stuck[0] if stuck else None, events)}"


async def _logs(kubectl: Kubectl, name: str) -> dict[str, bytes]:
    """Log of each pod by node. All logs together may be as long as the limit for one test."""
    pods = (await kubectl.json("get", "pods", f"--selector={manifest.LABEL}={name}"))["items"]
    logs: dict[str, bytes] = {}
    remaining = foreign.limit("group_test").bytes
    for node, pod in sorted((pod["spec"].get("nodeName", ""), pod["metadata"]["name"]) for pod in pods):
        logs[node] = await kubectl.call("logs", f"pod/{pod}", most=remaining)
        remaining -= len(logs[node])
    return logs
