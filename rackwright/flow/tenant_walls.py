"""Tests the isolation between the tenants of Kubernetes nodes: by pods of each tenant, and by requests that the API
server must refuse.

Each test is about nodes of one pool. Its pods are deleted in any case; the next test deletes those that a killed run
left behind.
"""

from __future__ import annotations

import asyncio
import json
import shlex
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rackwright import collect, judge
from rackwright.base.errors import UsageError
from rackwright.collect.launchers import pod_status, tenant_pods
from rackwright.collect.launchers.kubectl import Kubectl, KubectlError
from rackwright.collect.launchers.launcher import Launch
from rackwright.collect.launchers.manifest import LABEL
from rackwright.collect.launchers.tenant_pods import TenantPod
from rackwright.collect.output import Output
from rackwright.flow import schedulers, tenant_account
from rackwright.flow.job import Job
from rackwright.judge.expect import tenants_of_pools
from rackwright.model.capacity import classes_in, parts
from rackwright.model.check import NodeEvidence
from rackwright.model.design import Design, Node
from rackwright.model.evidence.tenancy import TenantWalls
from rackwright.model.verdict import Verdict
from rackwright.platform import class_guard
from rackwright.platform import tenants as platform_tenants

COLLECTOR = "tenant_walls"
TEST = "tenant-walls"
NODES = 2
"""Nodes of each pool, unless nodes are named: pods are tested within a node and between two."""
LOOK_SECONDS = 0.5


@dataclass(frozen=True)
class WallsResult:
    """Evidence and verdicts of the tests."""

    evidence: Mapping[str, NodeEvidence]
    verdicts: Sequence[Verdict]
    run: str
    """Id of the run in the evidence store."""


def shared_nodes(design: Design, names: Sequence[str], *, named: bool) -> dict[str, list[str]]:
    """Pool -> nodes of `names` that several tenants share under Kubernetes; unless `named`, the first of each pool.

    Raises UsageError if there is none, and for a named node that is not shared.
    """
    tenants = tenants_of_pools(design)
    nodes = [node for node in map(design.node, names) if named or node.role == "accelerator"]
    pools: dict[str, list[str]] = defaultdict(list)
    for node in nodes:
        if (
            node.role == "accelerator"
            and node.scheduler == "kubernetes"
            and len(tenants.get((node.pool, node.scheduler), ())) > 1
        ):
            pools[node.pool].append(node.name)
        elif named:
            why = "is no node of Kubernetes" if node.scheduler != "kubernetes" else "is in a pool of one tenant at most"
            raise UsageError(f"--nodes {node.name}: it {why}, so there is no wall between tenants on it")
    if not pools:
        raise UsageError(
            f"no two tenants of site {design.site.site} have a quota in one pool of Kubernetes: there is no wall to try; "
            "declare tenants and their quotas in the site"
        )
    return {pool: members if named else members[:NODES] for pool, members in pools.items()}


def try_walls(job: Job, nodes_by_pool: Mapping[str, Sequence[str]], image: str) -> WallsResult:
    """Run the tests of all pools at the same time, store their output, and judge it."""
    launcher, store = TenantLauncher(job.design, image), job.evidence_store()
    tests = [collect.GroupTest(COLLECTOR, tuple(nodes), f"tenants of {pool}") for pool, nodes in nodes_by_pool.items()]
    names = sorted(name for nodes in nodes_by_pool.values() for name in nodes)
    with (
        job.step("tenants", len(tests)) as step,
        collect.open_rounds(
            job.design, names, (COLLECTOR,), launcher, store, on_event=job.watch.advance, asked_by=job.run
        ) as running,
    ):
        answers = running.round(tests)
        errors = [answer.error for _, answer in answers if answer.error]
        step.end("; ".join(errors) or f"the walls on {len(names)} nodes were tried", good=not errors)
    evidence = collect.load(store, running.run, collect.library(job.design.roots))
    checks = {name: check for name, check in judge.load_checks(job.design.roots).items() if check.reads is TenantWalls}
    limits = judge.load_limits(roots=job.design.roots)
    return WallsResult(evidence, judge.judge_evidence(job.design, evidence, checks, limits, names), running.run)


@dataclass(frozen=True)
class TenantLauncher:
    """`launcher.Launcher` that runs pods of tenants on the nodes of a test, whatever its command."""

    design: Design
    image: str

    async def launch(self, request: Launch) -> Output:
        """The lines that ``validators/collectors/tenant_walls.py`` parses."""
        begun, error, lines = time.monotonic(), "", []
        trial = WallTrial(self.design, self.image, request)
        try:
            await trial.clear()
            try:
                lines = [*await trial.pods(), *await trial.refusals()]
            finally:
                await trial.clear()
        except (KubectlError, ValueError, KeyError, TypeError) as failure:
            error = f"Kubernetes: {failure}"
        printed = "".join(f"{line}\n" for line in lines).encode()
        seconds = time.monotonic() - begun
        return Output(
            "kubernetes", "", "", stdout=printed, rc=None if error else 0, seconds=seconds, error=error, tool="kubectl"
        )


class WallTrial:
    """One test on nodes of one pool."""

    def __init__(self, design: Design, image: str, request: Launch) -> None:
        self._design, self._image, self._nodes = design, image, request.nodes
        self._deadline = time.monotonic() + request.seconds
        first = design.node(request.nodes[0])
        part = first.accelerator
        self._label = f"{TEST}-{first.pool}"  # tests of other pools run at the same time, in the same namespaces
        names = tenants_of_pools(design)[first.pool, first.scheduler]
        self._tenants = [tenant for tenant in design.site.tenants if tenant.name in names]
        self._kubectl = {tenant.name: Kubectl(tenant.name) for tenant in self._tenants}
        self._members = {tenant.name: tenant_account.member(tenant) for tenant in self._tenants}
        self._resource = schedulers.kubernetes_resource(design, part.vendor, part.architecture) if part else ""
        self._part = _accelerators(design, first)
        self._most = _most(design, self._resource)

    async def clear(self) -> None:
        """Delete the pods of this test and of earlier ones."""
        words = ("delete", "pods", f"--selector={LABEL}={self._label}", "--ignore-not-found", "--now")
        await asyncio.gather(*(kubectl.call(*words) for kubectl in self._kubectl.values()))

    async def pods(self) -> list[str]:
        """The output of the pods of all tenants."""
        for tenant, kubectl in self._kubectl.items():
            spaces = await kubectl.json("get", "namespaces", f"--field-selector=metadata.name={tenant}")
            if not spaces["items"]:
                raise ValueError(f"there is no namespace {tenant}: rackwright up SITE --stack platform makes it")
            await tenant_account.ready(kubectl)
        holders = self._pods(self._shares())
        addresses = await self._run(holders, {}, "Running")
        visitors = self._pods(dict.fromkeys(self._kubectl, 0))
        await self._run(visitors, addresses, "Succeeded")
        lines = []
        for pod in (*holders, *visitors):
            log = await self._kubectl[pod.tenant].call("logs", f"pod/{pod.name}")
            lines += tenant_pods.printed(pod, log.decode(errors="replace"))
        return lines

    async def refusals(self) -> list[str]:
        """The answers of the API server to members who request more than they are entitled to."""
        lines = []
        for tenant, about, requested, document in self._refused():
            kubectl = self._kubectl[document["metadata"]["namespace"]]
            answer = await tenant_account.answer(kubectl, document, self._members[tenant])
            lines.append(f"# asked tenant={tenant} about={about} {shlex.join((requested, answer))}")
        return lines

    def _shares(self) -> dict[str, int]:
        most = {tenant: self._most[tenant] for tenant in self._kubectl}
        shares = tenant_pods.share(self._part.count, most, self._nodes)
        if none := [tenant for tenant, count in shares.items() if not count]:
            raise ValueError(
                f"{', '.join(none)} cannot have an accelerator on each of {len(self._nodes)} nodes beside "
                f"{len(shares) - 1} other tenants: name fewer nodes"
            )
        return shares

    def _pods(self, shares: Mapping[str, int]) -> list[TenantPod]:
        return [
            TenantPod(tenant, node, self._resource, count) for tenant, count in shares.items() for node in self._nodes
        ]

    async def _run(
        self, pods: Sequence[TenantPod], holders: Mapping[tuple[str, str], str], phase: str
    ) -> dict[tuple[str, str], str]:
        """Create `pods` and wait until all are in `phase`; returns their addresses by tenant and node."""
        for pod in pods:
            document = tenant_pods.pod_manifest(pod, self._image, self._label, self._part, holders)
            options = ("--filename=-", *self._members[pod.tenant])
            await self._kubectl[pod.tenant].call("create", *options, feed=json.dumps(document).encode())
        return {(pod.tenant, pod.node): await self._until(pod, phase) for pod in pods}

    async def _until(self, pod: TenantPod, phase: str) -> str:
        """The address of a pod, once it is in `phase`. ValueError if it fails, or takes too long."""
        kubectl = self._kubectl[pod.tenant]
        while True:
            answer = await kubectl.json("get", f"pod/{pod.name}")
            status = answer.get("status") or {}
            if status.get("phase") == phase and status.get("podIP"):
                return str(status["podIP"])
            if status.get("phase") == "Failed":
                raise ValueError(f"pod {pod.name} of {pod.tenant} failed: {await self._last_words(pod)}")
            if time.monotonic() > self._deadline:
                events = await kubectl.json(
                    "get", "events", f"--field-selector=involvedObject.name={pod.name},type=Warning"
                )
                why = pod_status.pending(answer, events["items"])
                raise ValueError(f"pod {pod.name} of {pod.tenant} is not {phase.lower()}: {why}")
            await asyncio.sleep(LOOK_SECONDS)

    async def _last_words(self, pod: TenantPod) -> str:
        log = await self._kubectl[pod.tenant].call("logs", f"pod/{pod.name}")
        return (log.decode(errors="replace").strip().splitlines() or ["it printed nothing"])[-1]

    def _refused(self) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
        """Tenant, subject, request, and the pod, for every request to the API server."""
        site = self._design.site
        classes = classes_in(site, parts(site, self._design.servers, self._design.accelerators, "kubernetes"))
        for place, tenant in enumerate(self._tenants):
            above, name = self._most[tenant.name] + 1, tenant.name
            pod = tenant_pods.refused_pod(name, self._image, self._resource, above)
            yield name, "quota", f"{above} {self._resource}", pod
            for foreign in platform_tenants.foreign_classes(tenant, classes):
                yield name, "class", foreign, tenant_pods.refused_pod(name, self._image, "", 0, foreign)
            for foreign in platform_tenants.foreign_of_site(tenant, classes) if site.queued else ():
                pod = tenant_pods.refused_pod(name, self._image, "", 0, labels={class_guard.PRIORITY_CLASS: foreign})
                yield name, "class", f"{foreign} in a queue", pod
            neighbour = self._tenants[(place + 1) % len(self._tenants)]
            if self._members[name] != self._members[neighbour.name]:
                pod = tenant_pods.refused_pod(neighbour.name, self._image, "", 0)
                yield name, "namespace", neighbour.name, pod


def _accelerators(design: Design, node: Node) -> tenant_pods.PodAccelerators:
    maker = design.vendors[node.accelerator.vendor] if node.accelerator else None
    file, variable = (maker.device_file, maker.visible_devices or "") if maker else ("", "")
    return tenant_pods.PodAccelerators(file, variable, node.accelerators)


def _most(design: Design, resource: str) -> dict[str, int]:
    """Tenant -> quota of a resource in its namespace."""
    objects = platform_tenants.objects(design, schedulers.kubernetes_resources(design))
    return {tenant: int(most.get(resource, 0)) for tenant, most in platform_tenants.most_by_tenant(objects).items()}
