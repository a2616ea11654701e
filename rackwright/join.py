"""Nodes join or leave: decisions carried out in the schedulers, and what the gate needs to know of the fabric.

In: a job and decisions. Out: what was done to each node, and the job that accepted ones ran. Cut from `pipeline`, which
holds the order of the steps alone.
"""

from __future__ import annotations

import subprocess
from collections import defaultdict
from collections.abc import Mapping, Sequence

from rackwright import gate, remote
from rackwright.job import Job
from rackwright.model.check import NodeEvidence
from rackwright.model.design import Design
from rackwright.model.evidence.fabric import NodeFabric
from rackwright.model.gate import Decision

KUBECTL_SECONDS = 60


def slurm(job: Job, decisions: Sequence[Decision], *, dry_run: bool) -> tuple[list[gate.Act], gate.Proof | None]:
    """Slurm is reached over SSH on its controller; a site without one has nothing to act on."""
    asked, controllers = job.design.site.control.slurm, job.design.nodes("slurm")
    members = [one for one in decisions if job.design.node(one.node).scheduler == "slurm"]
    if asked is None or not controllers or not members:
        return [], None
    reach = remote.runner(job.access, controllers[0].inband_address)
    acts = gate.apply(members, reach, dry_run=dry_run)
    done = {act.node for act in acts if act.done}
    serving = {one.node: job.design.node(one.node).accelerators for one in members if one.accepted and one.node in done}
    return acts, None if dry_run or not serving else gate.prove(serving, asked.partition, reach)


def kubernetes(job: Job, decisions: Sequence[Decision], *, dry_run: bool) -> tuple[list[gate.Act], str]:
    """Kubernetes is reached by the `kubectl` of this machine; the sentence says why nothing was done when it does not work.

    A rehearsal has no cluster behind `kubectl`, and the account on this machine may be that of a real one: it is not asked.
    """
    members = [one for one in decisions if job.design.node(one.node).scheduler == "kubernetes"]
    if not members or job.rehearsal is not None:
        return [], ""
    working, why = gate.kubectl_works(kubectl)
    if not working:
        return [], f"kubectl does not work here ({why}): the taints of {len(members)} nodes are as they were"
    return gate.apply_taints(members, kubectl, job.now(), dry_run=dry_run), ""


def kubectl(argv: Sequence[str]) -> tuple[int, str, str]:
    """`kubectl` on this machine, with the account that its owner gave it."""
    try:
        done = subprocess.run(argv, capture_output=True, text=True, timeout=KUBECTL_SECONDS, check=False)
    except FileNotFoundError:
        return 127, "", "there is no kubectl on this machine"
    except subprocess.TimeoutExpired:
        return 124, "", f"no answer within {KUBECTL_SECONDS} s"
    return done.returncode, done.stdout, done.stderr


def coverage(design: Design, seen: Mapping[str, NodeEvidence], nodes: Sequence[str]) -> dict[str, tuple[int, int]]:
    """By InfiniBand fabric: planned cables of `nodes` that the subnet showed, and all of them."""
    subnets = {fabric.name for fabric in design.site.fabrics if fabric.transport == "infiniband"}
    found = {node: seen[node].get(NodeFabric) for node in nodes if node in seen}
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    wanted = set(nodes)
    for fabric, near, port in design.cables.select("fabric", "a_device", "a_port").iter_rows():
        if fabric in subnets and near in wanted:
            record = found.get(near)
            counts[fabric][0] += record is not None and record.links.get(port) is not None
            counts[fabric][1] += 1
    return {fabric: (shown, planned) for fabric, (shown, planned) in counts.items()}
