"""A priority for the pods of each class of jobs, as kube-scheduler orders them."""

from __future__ import annotations

from rackwright.model.capacity import classes_in, parts
from rackwright.model.design import Design
from rackwright.platform.object import Object, make


def objects(design: Design, *, queued: bool) -> list[Object]:
    """`queued`: Kueue decides who gives way, so that no pod takes the place of another behind its back."""
    policy = "Never" if queued else "PreemptLowerPriority"
    every = parts(design.site, design.servers, design.accelerators, "kubernetes")
    return [
        make(
            "scheduling.k8s.io/v1", "PriorityClass", job.name, value=job.priority, preemptionPolicy=policy,
            description=f"{job.kind} jobs",
        )
        for job in classes_in(design.site, every)
    ]  # fmt: skip
