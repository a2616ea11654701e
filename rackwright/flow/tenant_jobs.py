"""Proves that tenants can run jobs on nodes that the gate has accepted: one in each namespace, in the name of a member.

If Kueue runs, jobs go through the queue of the tenant: Kueue must admit the first, and hold back one that exceeds the
quota of the queue.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from rackwright.collect.launchers.kubectl import Kubectl, KubectlError
from rackwright.flow.tenant_account import LOOK_SECONDS, member, ready
from rackwright.flow.tenant_queues import OpenQueue
from rackwright.model.design import Design
from rackwright.model.platform_record import PlatformTenant
from rackwright.model.tenancy import Tenant
from rackwright.platform.class_guard import PRIORITY_CLASS

NAME = "rackwright-rehearsal"
QUEUE_NAME = "kueue.x-k8s.io/queue-name"
PODSET_TOPOLOGY = "kueue.x-k8s.io/podset-required-topology"
"""Labels of a job, and annotation of its pods (Kueue, pkg/controller/constants and apis/kueue/v1beta1)."""
JOB_SECONDS = 300.0
"""Time in which controllers, scheduler and kubelet must run a pod that prints one word."""
WORKLOADS, INSUFFICIENT = "workloads.kueue.x-k8s.io", "insufficient quota"
"""Kind of the objects of Kueue, and its message for a refusal (pkg/scheduler/flavorassigner of Kueue 0.14)."""


@dataclass(frozen=True)
class TenantProof:
    """Results of the jobs."""

    sentences: tuple[str, ...]
    wrong: tuple[str, ...] = ()
    """Differences from what the stack declares."""


@dataclass(frozen=True)
class RequiredJob:
    """A tenant, and the requests of its job."""

    tenant: Tenant
    resource: str
    devices: int
    """Devices of the job: those of one node, or fewer."""
    queue: OpenQueue | None = None
    """Queue to which its job is submitted; None for a job without a queue."""
    runs: bool = True
    """Whether it can run a job: with Kueue, its queues must have a quota for accepted nodes."""


QueueOf = Callable[[str, str], OpenQueue | None]
"""Tenant and resource -> the queue that reaches accepted nodes."""


def required(
    design: Design, tenants: Sequence[PlatformTenant], resources: Mapping[str, int], queue_of: QueueOf | None
) -> Iterator[RequiredJob]:
    """Tenants with a quota for resources of accepted nodes; `resources`: extended resource -> devices of one such node.

    `queue_of` is None if Kueue does not run.
    """
    by_name = {tenant.name: tenant for tenant in design.site.tenants}
    for tenant in tenants:
        for resource, devices in resources.items():
            if most := int(tenant.most.get(resource, "0")):
                queue = queue_of(tenant.name, resource) if queue_of else None
                devices_of_job = min(devices, most, queue.most if queue else most)
                runs = queue_of is None or queue is not None
                yield RequiredJob(by_name[tenant.name], resource, devices_of_job, queue, runs)


async def prove(requests: Sequence[RequiredJob], image: str, seconds: float = JOB_SECONDS) -> TenantProof:
    """Run all jobs, one tenant after the other, because they share the accepted nodes.

    `seconds` is the limit of each job.
    """
    answers = [answer for request in requests for answer in await _within(request, image, seconds)]
    return TenantProof(
        tuple(text for stands, text in answers if stands), tuple(text for stands, text in answers if not stands)
    )


async def _within(request: RequiredJob, image: str, seconds: float) -> list[tuple[bool, str]]:
    """Whether a tenant can run a job, and none above the quota of its queue; each with a sentence."""
    kubectl, name = Kubectl(request.tenant.name), request.tenant.name
    if not request.runs:
        return [(True, f"{name} ran no job: no queue of it has a quota of the nodes that were accepted.")]
    answers = [await _run(kubectl, request, image, seconds)]
    if request.queue:
        answers.append(await _held_back(kubectl, request, request.queue, image, seconds))
    return answers


async def _run(kubectl: Kubectl, request: RequiredJob, image: str, seconds: float) -> tuple[bool, str]:
    """Run a job with the devices of one node; returns whether it ended well, and a sentence."""
    try:
        node, why = await _ran(kubectl, request, image, seconds), "it did not end well"
    except KubectlError as error:
        node, why = "", str(error)
    name, through = request.tenant.name, f", admitted from its queue {request.queue.name}" if request.queue else ""
    job_text = f"a job with {request.devices} {request.resource}"
    ran = f"{name} ran {job_text} on {node}{through}." if node else f"{name} could not run {job_text}: {why}."
    return bool(node), ran


async def _held_back(
    kubectl: Kubectl, request: RequiredJob, queue: OpenQueue, image: str, seconds: float
) -> tuple[bool, str]:
    """Submit a job whose pods together exceed the quota of the queue: Kueue must not admit it, and must give the
    reason.
    """
    pods = queue.most // request.devices + 1
    text = f"{request.tenant.name} submitted a job with {pods * request.devices} {request.resource} to its queue {queue.name}, whose limit is {queue.most}"
    try:
        async with _submitted(kubectl, request, job(request.devices, request.resource, image, queue, pods)):
            answer = await _decision(kubectl, seconds)
    except KubectlError as error:
        answer = str(error)
    held = INSUFFICIENT in answer
    return held, f"{text}: it was held back ({answer})." if held else f"{text}: {answer}."


async def _decision(kubectl: Kubectl, seconds: float) -> str:
    """The decision of Kueue on the job."""
    uid = (await kubectl.json("get", f"job/{NAME}"))["metadata"]["uid"]
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        for entry in (await kubectl.json("get", WORKLOADS))["items"]:
            owners = [owner["uid"] for owner in entry["metadata"].get("ownerReferences", [])]
            conditions = {condition["type"]: condition for condition in entry.get("status", {}).get("conditions", [])}
            if uid in owners and "QuotaReserved" in conditions:
                reserved = conditions["QuotaReserved"]
                return "it was admitted" if reserved["status"] == "True" else str(reserved.get("message", ""))
        await asyncio.sleep(LOOK_SECONDS)
    return "Kueue does not decide"


def job(devices: int, resource: str, image: str, queue: OpenQueue | None = None, pods: int = 1) -> dict[str, Any]:
    """A Job without retries, whose pods print the name of their node; for a queue with a class that it accepts."""
    template: dict[str, Any] = {"spec": _spec(devices, resource, image)}
    spec = {"backoffLimit": 0, "parallelism": pods, "completions": pods, "template": template}
    metadata: dict[str, Any] = {"name": NAME}
    if queue:
        metadata["labels"] = {QUEUE_NAME: queue.name} | ({PRIORITY_CLASS: queue.job_class} if queue.job_class else {})
    if queue and queue.topology:
        template["metadata"] = {"annotations": {PODSET_TOPOLOGY: queue.topology}}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": spec}


def _spec(devices: int, resource: str, image: str) -> dict[str, Any]:
    where = {"name": "NODE_NAME", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}}
    container = {
        "name": "job",
        "image": image,
        "command": ["printenv", "NODE_NAME"],
        "env": [where],
        "resources": {"limits": {resource: str(devices)}},
    }
    return {"restartPolicy": "Never", "automountServiceAccountToken": False, "containers": [container]}


async def _ran(kubectl: Kubectl, request: RequiredJob, image: str, seconds: float) -> str:
    """The node on which a job of the tenant ran; empty if it did not end well."""
    document = job(request.devices, request.resource, image, request.queue)
    await ready(kubectl)
    deadline = time.monotonic() + seconds
    async with _submitted(kubectl, request, document):
        while time.monotonic() < deadline:
            status = (await kubectl.json("get", f"job/{NAME}")).get("status") or {}
            if status.get("succeeded"):
                pods = await kubectl.json("get", "pods", f"--selector=batch.kubernetes.io/job-name={NAME}")
                return str(pods["items"][0]["spec"]["nodeName"])
            if status.get("failed"):
                return ""
            await asyncio.sleep(LOOK_SECONDS)
    return ""


@asynccontextmanager
async def _submitted(kubectl: Kubectl, request: RequiredJob, document: dict[str, Any]) -> AsyncIterator[None]:
    """Submit a job in the name of a member, and delete it at the end of the block, so that the next one can use its
    name.
    """
    try:
        await kubectl.call("create", "--filename=-", *member(request.tenant), feed=json.dumps(document).encode())
        yield
    finally:
        await kubectl.call("delete", f"job/{NAME}", "--ignore-not-found")
