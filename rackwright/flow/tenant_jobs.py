"""Proves the walls between tenants on the API server itself: a job in each namespace, one above its quota, one by a member of another.

Everything is sent in the name of a member of the tenant (impersonation), so that the rights that the stack gave count, not those of the
administrator who asks.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rackwright.collect.launchers.kubectl import Kubectl, KubectlError
from rackwright.model.design import Design
from rackwright.model.platform_record import PlatformTenant
from rackwright.model.tenancy import Tenant

NAME = "rackwright-rehearsal"
JOB_SECONDS = 300.0
"""For controllers, scheduler and kubelet to run a pod that prints one word."""
LOOK_SECONDS = 0.5
ABOVE_QUOTA, FORBIDDEN = "exceeded quota", "is forbidden: User"
"""How the API server refuses (pkg/quota and RBAC of kube-apiserver 1.34)."""


@dataclass(frozen=True)
class TenantProof:
    """What became of the jobs."""

    sentences: tuple[str, ...]
    wrong: tuple[str, ...] = ()
    """What was not as the stack declares it."""


@dataclass(frozen=True)
class RequiredJob:
    """A tenant, and what its job asks for."""

    tenant: Tenant
    resource: str
    most: int
    """The most that its namespace may request."""
    devices: int
    """Of the job: those of one node, or fewer."""


def required(design: Design, tenants: Sequence[PlatformTenant], resources: Mapping[str, int]) -> Iterator[RequiredJob]:
    """Tenants with a quota of what accepted nodes have; `resources`: extended resource -> devices of one such node."""
    by_name = {tenant.name: tenant for tenant in design.site.tenants}
    for tenant in tenants:
        for resource, devices in resources.items():
            if most := int(tenant.most.get(resource, "0")):
                yield RequiredJob(by_name[tenant.name], resource, most, min(devices, most))


async def prove(requests: Sequence[RequiredJob], image: str, seconds: float = JOB_SECONDS) -> TenantProof:
    """Run everything, one tenant after the other: they share the nodes that were accepted. `seconds`: for each job."""
    answers = [answer for request in requests for answer in await _within(request, image, seconds)]
    for request, neighbour in zip(requests, [*requests[1:], *requests[:1]], strict=True):
        if _member(request.tenant) != _member(neighbour.tenant):
            answers.append(await _across(request, neighbour, image))
    return TenantProof(
        tuple(text for stands, text in answers if stands), tuple(text for stands, text in answers if not stands)
    )


async def _within(request: RequiredJob, image: str, seconds: float) -> list[tuple[bool, str]]:
    """Whether a tenant can run a job, and nothing above its quota."""
    kubectl, name = Kubectl(request.tenant.name), request.tenant.name
    try:
        node, why = await _ran(kubectl, request, image, seconds), "it did not end well"
    except KubectlError as error:
        node, why = "", str(error)
    job = f"a job with {request.devices} {request.resource}"
    ran = f"{name} ran {job} on {node}." if node else f"{name} could not run {job}: {why}."
    answer = await _refusal(kubectl, pod(request.most + 1, request.resource, image), _member(request.tenant))
    above = f"{name} asked for {request.most + 1} {request.resource} at once, above its quota of {request.most}"
    return [(bool(node), ran), _stands(above, answer, ABOVE_QUOTA)]


async def _across(request: RequiredJob, neighbour: RequiredJob, image: str) -> tuple[bool, str]:
    """Whether the members of a tenant are kept out of the namespace of another."""
    answer = await _refusal(Kubectl(neighbour.tenant.name), pod(1, neighbour.resource, image), _member(request.tenant))
    requested = f"A member of {request.tenant.name} asked for a pod in the namespace of {neighbour.tenant.name}"
    return _stands(requested, answer, FORBIDDEN)


def _stands(requested: str, answer: str, refusal: str) -> tuple[bool, str]:
    refused = refusal in answer
    return refused, f"{requested}, and was refused." if refused else f"{requested}: {answer or 'it was taken'}."


def pod(devices: int, resource: str, image: str) -> dict[str, Any]:
    """A pod that prints the node it runs on."""
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": NAME}, "spec": _spec(devices, resource, image)}


def job(devices: int, resource: str, image: str) -> dict[str, Any]:
    """The same pod as a Job, without a second try."""
    spec = {"backoffLimit": 0, "template": {"spec": _spec(devices, resource, image)}}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": NAME}, "spec": spec}


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


def _member(tenant: Tenant) -> tuple[str, ...]:
    """Options of kubectl that make it ask as a member; none for a tenant without members: nobody may run anything there."""
    users, groups = tenant.members.users, tenant.members.groups
    if not users and not groups:
        return ()
    name = users[0] if users else NAME
    return (
        f"--as={name}",
        *(f"--as-group={group}" for group in groups[:1] if not users),
        "--as-group=system:authenticated",
    )


async def _ran(kubectl: Kubectl, request: RequiredJob, image: str, seconds: float) -> str:
    """The node on which a job of the tenant ran; empty when it did not end well."""
    document = json.dumps(job(request.devices, request.resource, image)).encode()
    await _ready(kubectl)
    deadline = time.monotonic() + seconds
    try:
        await kubectl.call("create", "--filename=-", *_member(request.tenant), feed=document)
        while time.monotonic() < deadline:
            status = (await kubectl.json("get", f"job/{NAME}")).get("status") or {}
            if status.get("succeeded"):
                pods = await kubectl.json("get", "pods", f"--selector=batch.kubernetes.io/job-name={NAME}")
                return str(pods["items"][0]["spec"]["nodeName"])
            if status.get("failed"):
                return ""
            await asyncio.sleep(LOOK_SECONDS)
    finally:
        await kubectl.call("delete", f"job/{NAME}", "--ignore-not-found", "--wait=false")
    return ""


async def _ready(kubectl: Kubectl) -> None:
    """Until the controllers have counted the quota and made the account of pods: before, the API server takes no pod at all."""
    deadline = time.monotonic() + JOB_SECONDS
    while time.monotonic() < deadline:
        quota = await kubectl.json("get", "resourcequota/accelerators")
        accounts = await kubectl.json("get", "serviceaccounts")
        names = [account["metadata"]["name"] for account in accounts["items"]]
        if quota.get("status", {}).get("hard") and "default" in names:
            return
        await asyncio.sleep(LOOK_SECONDS)


async def _refusal(kubectl: Kubectl, document: dict[str, Any], member: Sequence[str]) -> str:
    """What the API server says to a pod; empty when it took it, which is taken back."""
    try:
        await kubectl.call("create", "--filename=-", *member, feed=json.dumps(document).encode())
    except KubectlError as error:
        return str(error)
    await kubectl.call("delete", f"pod/{NAME}", "--wait=false")
    return ""
