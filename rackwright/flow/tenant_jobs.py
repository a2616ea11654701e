"""Proves that tenants can run jobs where the gate has accepted nodes: one in each namespace, in the name of a member."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rackwright.collect.launchers.kubectl import Kubectl, KubectlError
from rackwright.flow.tenant_account import LOOK_SECONDS, member, ready
from rackwright.model.design import Design
from rackwright.model.platform_record import PlatformTenant
from rackwright.model.tenancy import Tenant

NAME = "rackwright-rehearsal"
JOB_SECONDS = 300.0
"""For controllers, scheduler and kubelet to run a pod that prints one word."""


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
    devices: int
    """Of the job: those of one node, or fewer."""


def required(design: Design, tenants: Sequence[PlatformTenant], resources: Mapping[str, int]) -> Iterator[RequiredJob]:
    """Tenants with a quota of what accepted nodes have; `resources`: extended resource -> devices of one such node."""
    by_name = {tenant.name: tenant for tenant in design.site.tenants}
    for tenant in tenants:
        for resource, devices in resources.items():
            if most := int(tenant.most.get(resource, "0")):
                yield RequiredJob(by_name[tenant.name], resource, min(devices, most))


async def prove(requests: Sequence[RequiredJob], image: str, seconds: float = JOB_SECONDS) -> TenantProof:
    """Run everything, one tenant after the other: they share the nodes that were accepted. `seconds`: for each job."""
    answers = [await _within(request, image, seconds) for request in requests]
    return TenantProof(
        tuple(text for stands, text in answers if stands), tuple(text for stands, text in answers if not stands)
    )


async def _within(request: RequiredJob, image: str, seconds: float) -> tuple[bool, str]:
    """Whether a tenant can run a job."""
    kubectl, name = Kubectl(request.tenant.name), request.tenant.name
    try:
        node, why = await _ran(kubectl, request, image, seconds), "it did not end well"
    except KubectlError as error:
        node, why = "", str(error)
    job = f"a job with {request.devices} {request.resource}"
    return bool(node), f"{name} ran {job} on {node}." if node else f"{name} could not run {job}: {why}."


def job(devices: int, resource: str, image: str) -> dict[str, Any]:
    """A Job without a second try, whose pod prints the node it runs on."""
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


async def _ran(kubectl: Kubectl, request: RequiredJob, image: str, seconds: float) -> str:
    """The node on which a job of the tenant ran; empty when it did not end well."""
    document = json.dumps(job(request.devices, request.resource, image)).encode()
    await ready(kubectl)
    deadline = time.monotonic() + seconds
    try:
        await kubectl.call("create", "--filename=-", *member(request.tenant), feed=document)
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
