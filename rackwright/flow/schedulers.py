"""Nodes join or leave: decisions carried out in the schedulers, and what the gate needs to know of the fabric."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Sequence

from rackwright import gate
from rackwright.collect.launchers.kubernetes import Kubernetes
from rackwright.collect.launchers.launcher import Launch
from rackwright.collect.output import Output
from rackwright.flow import ssh_runner
from rackwright.flow.job import Job
from rackwright.model.gate import Decision

KUBECTL_SECONDS = 60
PODS_AT_ONCE = 16
"""Each is a few calls of kubectl."""
POD_SECONDS = 30.0
"""For a pod that prints one word, on top of what a scheduler may take."""


def slurm(
    job: Job, decisions: Sequence[Decision], *, dry_run: bool
) -> tuple[list[gate.SchedulerAct], gate.JobProof | None]:
    """Slurm is reached over SSH on its controller; a site without one has nothing to act on."""
    asked, controllers = job.design.site.control.slurm, job.design.nodes("slurm")
    members = [one for one in decisions if job.design.node(one.node).scheduler == "slurm"]
    if asked is None or not controllers or not members:
        return [], None
    reach = ssh_runner.runner(job.access, controllers[0].inband_address)
    acts = gate.apply_decisions(members, reach, dry_run=dry_run)
    done = {act.node for act in acts if act.done}
    serving = {one.node: job.design.node(one.node).accelerators for one in members if one.accepted and one.node in done}
    return acts, None if dry_run or not serving else gate.prove_job(serving, asked.partition, reach)


def kubernetes(
    job: Job, decisions: Sequence[Decision], *, dry_run: bool
) -> tuple[list[gate.SchedulerAct], gate.JobProof | None, str]:
    """Kubernetes is reached by the `kubectl` of this machine; the sentence says what was not done, and why.

    Inside a twin it leads to the cluster of the twin, or nowhere (`Twin.environment`).
    """
    members = [one for one in decisions if job.design.node(one.node).scheduler == "kubernetes"]
    if not members:
        return [], None, ""
    working, why = gate.kubectl_works(kubectl)
    if not working:
        return [], None, f"kubectl does not work here ({why}): the taints of {len(members)} nodes are as they were"
    acts = gate.apply_taints(members, kubectl, job.now(), dry_run=dry_run)
    done = {act.node for act in acts if act.done}
    serving = [one.node for one in members if one.accepted and one.node in done]
    control = job.design.site.control.kubernetes
    if dry_run or not serving:
        return acts, None, ""
    if control is None or not control.image:
        return acts, None, "control.kubernetes.image names no image: accepted nodes ran no pod"
    return acts, asyncio.run(_prove(job, serving, control.image)), ""


async def _prove(job: Job, nodes: Sequence[str], image: str) -> gate.JobProof:
    """A pod on each of `nodes` that is given all accelerators of it, a bounded number at once."""
    places = asyncio.Semaphore(PODS_AT_ONCE)

    async def one(name: str) -> Output:
        node = job.design.node(name)
        vendor = node.accelerator.vendor if node.accelerator else ""
        asked = Launch(f"proof {name}", (name,), ("printenv", "NODE_NAME"), POD_SECONDS, node.accelerators)
        async with places:
            return await Kubernetes(image, job.run, vendor=vendor).launch(asked)

    said = await asyncio.gather(*map(one, nodes))
    good = tuple(name for name, output in zip(nodes, said, strict=True) if output.rc == 0 and not output.error)
    silent = tuple(name for name in nodes if name not in good)
    told = "; ".join(
        dict.fromkeys(
            output.error or output.stdout.decode(errors="replace").strip()[-200:]
            for output in said
            if output.rc or output.error
        )
    )
    says = f"{len(good)} of {len(nodes)} accepted nodes ran a pod with all their accelerators"
    return gate.JobProof(good, silent, says + (f"; silent: {', '.join(silent)} ({told})" if silent else ""))


def together(*proofs: gate.JobProof | None) -> gate.JobProof | None:
    """The proofs of several schedulers as one; None when none ran anything."""
    found = [one for one in proofs if one is not None]
    if not found:
        return None
    answered = tuple(node for one in found for node in one.answered)
    silent = tuple(node for one in found for node in one.silent)
    return gate.JobProof(answered, silent, "; ".join(one.says for one in found))


def kubectl(argv: Sequence[str]) -> tuple[int, str, str]:
    """`kubectl` on this machine, with the account that its owner gave it."""
    try:
        done = subprocess.run(argv, capture_output=True, text=True, timeout=KUBECTL_SECONDS, check=False)
    except FileNotFoundError:
        return 127, "", "there is no kubectl on this machine"
    except subprocess.TimeoutExpired:
        return 124, "", f"no answer within {KUBECTL_SECONDS} s"
    return done.returncode, done.stdout, done.stderr
