"""The platform of a site on the cluster of its twin: the stack is applied, its queues wait for the gate, and tenants
run jobs.

`rackwright serve` answers from the decisions of the rehearsal, so that the queues wait as on a real site. A rehearsal
has only some nodes of a pool, so the queues wait for these nodes, not for the pool.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from rackwright.base.errors import OutsideError, ProblemsError
from rackwright.flow import pipeline, platform_record, schedulers, tenant_jobs, tenant_queues, tenant_walls
from rackwright.flow.job import Job
from rackwright.judge.expect import tenants_of_pools
from rackwright.model.platform_record import PlatformRecord
from rackwright.model.resource import AcceptedSubject
from rackwright.model.site import Site
from rackwright.model.verdict import Outcome, Verdict
from rackwright.platform import chart_values, stack_plan
from rackwright.plugin.acceptance import TOKEN_VARIABLE
from rackwright.provision.result import PlatformResult
from rackwright.serve.tokens import TokenFile
from rackwright.twin.kubernetes import tenant_faults

LISTEN = "127.0.0.1:0"
ADDRESS = " on http"
TOKEN = "rehearsal"
OTHER_CLUSTER = ("platform.not_served", "platform.other_release", "platform.unsupported")
"""Problems that are expected on a twin, whose cluster has one release, and the kinds of few components."""


def applies(site: Site) -> bool:
    """Whether a site shares Kubernetes nodes among tenants."""
    return bool(site.tenants) and bool(site.pools_of("kubernetes"))


@dataclass(frozen=True)
class PlatformRehearsal:
    """The result of the rehearsal of the platform."""

    wrong: tuple[str, ...] = ()
    """One sentence for each difference from what the site declares."""
    verdicts: tuple[Verdict, ...] = ()
    """Verdicts on the isolation between tenants."""


def rehearse(job: Job, answered: Collection[str], open_walls: Collection[str] = ()) -> PlatformRehearsal:
    """Apply the platform, let tenants run jobs and test their isolation; `answered`: accepted nodes that ran a job.

    `open_walls`: the walls that injected faults open in the cluster once it has its platform.
    """
    nodes = [name for name in answered if job.design.node(name).scheduler == "kubernetes"]
    if not nodes:
        job.watch.note("no node of Kubernetes was accepted: the queues of tenants stay closed")
        return PlatformRehearsal()
    try:
        with _serving(job) as server:
            waited = [AcceptedSubject(kind="node", name=name, server=server) for name in nodes]
            result, record = pipeline.apply_platform(job, accepted=waited)
    except ProblemsError as refusal:
        if not all(problem.code in OTHER_CLUSTER for problem in refusal.problems):
            raise
        for problem in refusal.problems:
            job.watch.note(f"not rehearsed, {problem.message}: {problem.expected}")
        return PlatformRehearsal()
    if record is None:
        return PlatformRehearsal(tuple(_failures(result)))
    proof, verdicts = _prove_tenants(job, nodes, record), _try_walls(job, nodes, open_walls)
    sentences = [*proof.sentences, *proof.wrong, *_walls(verdicts)]
    platform_record.store(job.workspace, record.model_copy(update={"jobs": sentences}))
    for sentence in sentences:
        job.watch.note(sentence)
    return PlatformRehearsal(proof.wrong, verdicts)


def _walls(verdicts: Collection[Verdict]) -> Iterator[str]:
    """One sentence per node: the number of its walls between tenants that stand."""
    for node in dict.fromkeys(verdict.target for verdict in verdicts):
        outcomes = [verdict.outcome for verdict in verdicts if verdict.target == node]
        yield f"{outcomes.count(Outcome.PASS)} of {len(outcomes)} walls between tenants stand on {node}."


def _try_walls(job: Job, nodes: Collection[str], open_walls: Collection[str]) -> tuple[Verdict, ...]:
    """The verdicts on the walls between tenants of `nodes`; empty if no two tenants share a node, or if pods have no
    image.
    """
    control = job.design.site.control.kubernetes
    tenants = tenants_of_pools(job.design)
    shared = [
        node.name for node in map(job.design.node, nodes) if len(tenants.get((node.pool, node.scheduler), ())) > 1
    ]
    if control is None or not control.image or not shared:
        return ()
    for wall in asyncio.run(tenant_faults.open_walls([tenant.name for tenant in job.design.site.tenants], open_walls)):
        job.watch.note(f"fault: {wall}")
    result = tenant_walls.try_walls(job, tenant_walls.shared_nodes(job.design, shared, named=False), control.image)
    return tuple(result.verdicts)


def _prove_tenants(job: Job, nodes: Collection[str], record: PlatformRecord) -> tenant_jobs.TenantProof:
    """The results of one job of each tenant; `record` is that of the applied stack."""
    control = job.design.site.control.kubernetes
    if control is None or not control.image:
        job.watch.note("control.kubernetes.image names no image: tenants ran no job")
        return tenant_jobs.TenantProof(())
    resource_of = schedulers.kubernetes_resources(job.design)
    resources = {
        resource_of[part.sku]: node.accelerators
        for node in map(job.design.node, nodes)
        if (part := node.accelerator) is not None and part.sku in resource_of
    }
    queued = "kueue" in chart_values.of_site(job.design.site)  # the twin runs it, as its chart installs it
    queue_of = (
        partial(tenant_queues.open_queue, stack_plan.plan(job.design, resource_of, []), nodes) if queued else None
    )
    required = list(tenant_jobs.required(job.design, record.tenants, resources, queue_of))
    return asyncio.run(tenant_jobs.prove(required, control.image))


def _failures(result: PlatformResult) -> Iterator[str]:
    for text in result.diagnostics:
        yield f"The platform was not applied: {text}"
    for entry in result.objects.values():
        if entry.error:
            yield f"{entry.name} was not applied: {entry.error}"


@contextmanager
def _serving(job: Job) -> Iterator[str]:
    """The URL of a server for this workspace, whose token is in the environment until the block ends."""
    tokens = TokenFile.of(job.workspace)
    if TOKEN in tokens.tokens():
        tokens.revoke(TOKEN)
    words = [sys.executable, "-m", "rackwright", "serve", str(job.path), "--work", str(job.workspace.path)]
    log = job.workspace.folder("serve") / "serve.log"
    with log.open("wb") as stream:
        process = subprocess.Popen(
            [*words, "--listen", LISTEN, "--without-tls", "--without-webhooks"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=stream, text=True,
        )  # fmt: skip
    try:
        assert process.stdout is not None
        _, prefix, address = process.stdout.readline().strip().rpartition(ADDRESS)
        if not prefix:
            raise OutsideError(f"rackwright serve does not start: {log.read_text(errors='replace').strip()[-300:]}")
        os.environ[TOKEN_VARIABLE] = tokens.add(TOKEN, "read", 1, job.now())
        yield f"http{address}"
    finally:
        os.environ.pop(TOKEN_VARIABLE, None)
        process.terminate()
        process.wait()
