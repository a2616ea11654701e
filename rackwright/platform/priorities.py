"""A PriorityClass for the pods of each class of jobs, for kube-scheduler."""

from __future__ import annotations

from rackwright.model.capacity import classes_in, parts
from rackwright.model.design import Design
from rackwright.platform.object import Object, make


def objects(design: Design, *, queued: bool) -> list[Object]:
    """The priority classes; `queued`: Kueue decides which jobs give way, so that pods must not preempt each other
    independently.
    """
    policy = "Never" if queued else "PreemptLowerPriority"
    every = parts(design.site, design.servers, design.accelerators, "kubernetes")
    return [
        make(
            "scheduling.k8s.io/v1", "PriorityClass", job.name, value=job.priority, preemptionPolicy=policy,
            description=f"{job.kind} jobs",
        )
        for job in classes_in(design.site, every)
    ]  # fmt: skip
