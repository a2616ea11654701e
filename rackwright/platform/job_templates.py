"""A template job of each class for the operators of the site, with queue, priority, size and topology of the class;
users add image and command.

Kueue v0.14 reads the topology of a RayJob and of a PyTorchJob from the templates of their pods, one request for each
set of pods (sigs.k8s.io/kueue v0.14.0, pkg/controller/jobs). So all pods that compute are one set: workers without a
master, which rendezvous at the first of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rackwright.compat import kubernetes_addons
from rackwright.model.capacity import PoolPart, of_class, of_quota, parts
from rackwright.model.design import Design
from rackwright.model.tenancy import JobClass
from rackwright.platform.object import QUEUES, REQUIRED_TOPOLOGY, Object, make

FOLDER = "jobs"
"""Folder of an export, beside the objects: nothing applies its files automatically."""
QUEUE, PRIORITY, TOPOLOGY = (
    "kueue.x-k8s.io/queue-name",
    "kueue.x-k8s.io/priority-class",
    "kueue.x-k8s.io/podset-required-topology",
)
"""Source: sigs.k8s.io/kueue v0.14.0, pkg/controller/constants/constants.go and apis/kueue/v1beta1/topology_types.go."""
IMAGE = "example.invalid/your-image:tag"
COMMAND = "python train.py"


@dataclass(frozen=True)
class JobTemplate:
    """The smallest job of a class, in a queue that accepts it."""

    job: JobClass
    tenant: str
    queue: str
    topology: str
    """Node label that all of its pods must share; empty for none."""
    resource: str
    """Extended resource of its accelerators."""
    pods: int
    accelerators: int
    """Accelerators of one pod."""

    @property
    def labels(self) -> dict[str, str]:
        """Labels of the job that Kueue reads."""
        return {QUEUE: self.queue, PRIORITY: self.job.name}

    def pod(self, container: str, **fields: Any) -> Object:
        """The template of a pod that computes."""
        held = {self.resource: str(self.accelerators)}
        body = {"name": container, "image": IMAGE, **fields, "resources": {"requests": held, "limits": held}}
        metadata = {"metadata": {"annotations": {TOPOLOGY: self.topology}}} if self.topology else {}
        return {**metadata, "spec": {"containers": [body]}}


def files(design: Design, queues: Sequence[Object], resources: Mapping[str, str]) -> dict[str, list[Object]]:
    """``CLASS-KIND`` -> the object, for the operators that the site has; `queues` is the result of ``Kueue.objects``."""
    control = design.site.control.kubernetes
    result: dict[str, list[Object]] = {}
    for name, (kind, render) in BY_ADDON.items():
        if version := control.addon_version(name) if control else "":
            api = kubernetes_addons.load().api(name, kind, version)
            for template in templates(design, queues, resources):
                result[f"{template.job.name}-{kind.lower()}"] = [render(api, template)]
    return result


def templates(design: Design, queues: Sequence[Object], resources: Mapping[str, str]) -> list[JobTemplate]:
    """A template for each class whose jobs end by themselves and that a queue accepts."""
    every = parts(design.site, design.servers, design.accelerators, "kubernetes")
    annotations = {
        o["metadata"]["name"]: o["metadata"].get("annotations", {})
        for o in queues
        if o["kind"] == "WorkloadPriorityClass"
    }
    result = []
    for job in design.site.classes:
        takes = annotations.get(job.name, {}).get(QUEUES, "")
        if takes and job.kind in ("training", "fine-tune", "batch-inference"):
            tenant = takes.partition("/")[0]
            quotas = [quota for entry in design.site.tenants if entry.name == tenant for quota in entry.quota]
            with_quota = [part for quota in quotas for part in of_quota(quota, every)]
            inside = [part for part in of_class(job, design.site, every) if part in with_quota]
            result.append(_template(job, inside, annotations[job.name], resources))
    return result


def _template(
    job: JobClass, inside: Sequence[PoolPart], says: Mapping[str, str], resources: Mapping[str, str]
) -> JobTemplate:
    tenant, _, queue = says[QUEUES].split(",")[0].partition("/")
    part, size = inside[0], job.sizes()[0]
    pods = math.ceil(size / part.per_node)
    topology = says.get(REQUIRED_TOPOLOGY, "") if pods > 1 else ""
    return JobTemplate(job, tenant, queue, topology, resources[part.accelerator], pods, math.ceil(size / pods))


def _ray(api: str, template: JobTemplate) -> Object:
    """A RayJob.

    The head computes nothing; workers never scale, as Kueue requires (pkg/controller/jobs/rayjob/rayjob_webhook.go).
    """
    head = {"spec": {"containers": [{"name": "ray-head", "image": IMAGE}]}}
    count = dict.fromkeys(("replicas", "minReplicas", "maxReplicas"), template.pods)
    workers = {"groupName": "workers", **count, "rayStartParams": {}, "template": template.pod("ray-worker")}
    cluster = {"headGroupSpec": {"rayStartParams": {"num-cpus": "0"}, "template": head}, "workerGroupSpecs": [workers]}
    spec = {"entrypoint": COMMAND, "suspend": True, "shutdownAfterJobFinishes": True, "rayClusterSpec": cluster}
    return make(api, "RayJob", template.job.name, template.tenant, labels=template.labels, spec=spec)


def _torch(api: str, template: JobTemplate) -> Object:
    """A PyTorchJob with workers only, which torchrun joins (kubeflow/training-operator v1.9.3,
    pkg/controller.v1/pytorch/elastic.go).
    """
    count = {"minReplicas": template.pods, "maxReplicas": template.pods}
    workers = {
        "replicas": template.pods,
        "restartPolicy": "OnFailure",
        "template": template.pod("pytorch", command=["torchrun", *COMMAND.split()[1:]]),
    }
    spec = {
        "runPolicy": {"suspend": True},
        "nprocPerNode": str(template.accelerators),
        "elasticPolicy": {"rdzvBackend": "c10d", **count},
        "pytorchReplicaSpecs": {"Worker": workers},
    }
    return make(api, "PyTorchJob", template.job.name, template.tenant, labels=template.labels, spec=spec)


BY_ADDON: Mapping[str, tuple[str, Callable[[str, JobTemplate], Object]]] = {
    "kuberay": ("RayJob", _ray),
    "training-operator": ("PyTorchJob", _torch),
}
"""Add-on -> kind of job that it runs, and the function that renders it."""
