"""Refuses to wipe nodes whose pool declares no wipe, that the gate accepts, or that a scheduler may use."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from rackwright import onboard
from rackwright.base.errors import OutsideError, Problem, ProblemsError, UsageError
from rackwright.flow import ssh_runner
from rackwright.flow.job import Job
from rackwright.model.design import Node
from rackwright.onboard.drain import Guard


def refuse(job: Job) -> None:
    """ProblemsError with every reason why nodes of `job` must not be wiped; then none of them is."""
    if problems := [*_problems(job)]:
        raise ProblemsError(problems)


def _problems(job: Job) -> Iterator[Problem]:
    policies = {pool.name: pool.wipe for pool in job.design.site.pools}
    standings = job.ledger.node_standings(job.design.site.site, rehearsals=job.rehearsal is not None)
    accepted = {standing.node: standing.run for standing in standings if standing.accepted}
    nodes = [job.design.node(name) for name in job.nodes]
    serving = _serving(job, nodes)
    for node in nodes:
        if policies.get(node.pool, "none") == "none":
            yield _problem(
                node, "no_policy", "its drives are not wiped: nothing declares how", "wipe of its pool", "none",
                "declare `wipe` of the pool, if the drives of its nodes may be erased",
            )  # fmt: skip
        if node.name in accepted:
            yield _problem(
                node, "accepted", "its drives are not wiped while the gate accepts it", "a node that the gate holds", f"accepted by the run {accepted[node.name]}",
                f"drain it, record why (`rackwright repair SITE --node {node.name} --action reset`) and run `rackwright gate SITE`, which then holds it; then run again",
            )  # fmt: skip
        if why := serving.get(node.name):
            yield _problem(
                node, "serving", "its drives are not wiped while it serves", "a node that its scheduler gives no jobs", why,
                "drain it (Slurm), or take it out of the cluster (`kubectl drain`, `kubectl delete node`), then run again",
            )  # fmt: skip


def _serving(job: Job, nodes: Sequence[Node]) -> Mapping[str, str]:
    """Node -> why it counts as in service; a scheduler that does not answer might still use its nodes."""
    guard = onboard.guard(job.design, job.nodes, partial(ssh_runner.runner, job.access), (), job.watch.note)
    serving = {name: ", ".join(jobs) for name, jobs in guard.running(job.nodes).items()}
    return {**_of_slurm(guard, nodes), **_of_kubernetes(nodes), **serving}


def _of_slurm(guard: Guard, nodes: Sequence[Node]) -> Mapping[str, str]:
    names = [node.name for node in nodes if node.scheduler == "slurm" and node.role == "accelerator"]
    free = guard.free(names) if names else frozenset()
    return {name: "Slurm may give it jobs, or does not answer" for name in names if name not in free}


def _of_kubernetes(nodes: Sequence[Node]) -> Mapping[str, str]:
    names = [node.name for node in nodes if node.scheduler == "kubernetes"]
    if not names:
        return {}
    try:
        members = asyncio.run(_members(names))
    except (OutsideError, UsageError) as error:
        return dict.fromkeys(names, f"Kubernetes does not answer ({error})")
    return dict.fromkeys(members, "it is a node of the cluster")


async def _members(names: Sequence[str]) -> list[str]:
    from rackwright.flow.cluster_nodes import ClusterNodes  # kr8s: of no use to a site without Kubernetes
    from rackwright.kubernetes.client import ApiClient

    cluster = ClusterNodes(await ApiClient.connect())
    return [name for name in names if await cluster.get(name)]


def _problem(node: Node, code: str, message: str, expected: str, actual: str, step: str) -> Problem:
    return Problem(node.name, "", message, expected, actual, step, f"wipe.{code}")
