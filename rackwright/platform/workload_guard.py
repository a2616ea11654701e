"""Keeps jobs of every kind from queues with a class of others: Kueue makes a Workload of each job, whatever holds its pods.

`class_guard` refuses at once what it can read, the label of a job and the pods of Jobs and Deployments. Templates of other kinds
(JobSet, RayJob, PyTorchJob) lie elsewhere in each; their class stands in the Workload, which is refused to Kueue itself: the job stays
suspended, in no queue, and Kueue logs why.
"""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.platform import admission, tenants
from rackwright.platform.object import Object

NAME = "rackwright-workloads"
GROUP, RESOURCE = "kueue.x-k8s.io", "workloads"
NAMED = {"priorityClassName": "", "priorityClassRef": ".name"}
"""Where a Workload names its class (kubernetes-sigs/kueue, WorkloadSpec): in v1beta1 (v0.14.0), and in v1beta2 (commit 02237e77)."""


def objects(design: Design) -> list[Object]:
    """The policy and what binds it; nothing where every class is for every tenant."""
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
