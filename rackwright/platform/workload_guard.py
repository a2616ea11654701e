"""Keeps jobs of all kinds with another tenant's class out of queues: Kueue creates a Workload for each job, whatever
kind holds its pods.

`class_guard` refuses at once what it can read, the label of a job and the pods of Jobs and Deployments. Other kinds
(JobSet, RayJob, PyTorchJob) have their templates elsewhere; their class appears in the Workload, which is refused to
Kueue itself: the job stays suspended, in no queue, and Kueue logs the reason.
"""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.platform import admission, tenants
from rackwright.platform.object import Object

NAME = "rackwright-workloads"
GROUP, RESOURCE = "kueue.x-k8s.io", "workloads"
NAMED = {"priorityClassName": "", "priorityClassRef": ".name"}
"""Fields of a Workload that name its class (kubernetes-sigs/kueue, WorkloadSpec): in v1beta1 (v0.14.0), and in v1beta2
(commit 02237e77).
"""


def objects(design: Design) -> list[Object]:
    """The policy and its binding; empty if every class is for every tenant."""
    foreign = tenants.foreign_by_tenant(design)
    if not foreign:
        return []
    says = "the class of this job or of its pods is one of other tenants or of the system: use one of your own"
    rules = [
        (tenants.no_foreign(foreign, f"has({{object}}.spec.{field})", f"{{object}}.spec.{field}{name}"), says)
        for field, name in NAMED.items()
    ]
    requests = admission.Requests(GROUP, "*", [RESOURCE], ["CREATE", "UPDATE"])
    return [admission.policy(NAME, requests, rules), admission.binding(NAME, admission.IN_TENANTS)]
