"""Kueue: the topology of each pool, a flavor for each part of it, and for each tenant a cohort with its queues.

A tenant is a cohort in the site's cohort: `borrow` and `lend` limit what crosses it. Jobs that are not preemptible have
a queue with the whole quota, which never borrows, so that nothing can reclaim what they run on; preemptible jobs have a
second queue that uses what the first leaves idle and what other tenants lend.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rackwright.compat import kubernetes_addons
from rackwright.model.capacity import PoolPart, classes_in, of_class, of_quota, parts
from rackwright.model.design import Design
from rackwright.model.tenancy import JobClass, Quota, Tenant
from rackwright.platform import topology
from rackwright.platform.labels import NodeLabels, own_keys
from rackwright.platform.object import QUEUES, REQUIRED_TOPOLOGY, Object, make

PREEMPTIBLE = "preemptible"
GUARANTEED = "guaranteed"
"""Names of the queues of a tenant outside lanes; queues of a lane are named after it."""
PREEMPTION = {
    False: {"withinClusterQueue": "Never", "reclaimWithinCohort": "Any"},
    True: {
        "withinClusterQueue": "LowerPriority",
        "reclaimWithinCohort": "Any",
        "borrowWithinCohort": {"policy": "LowerPriority"},
    },
}
"""Whether a queue is for preemptible jobs -> its preemption policy.

Preemptible jobs run on borrowed quota, and without borrowWithinCohort Kueue lets no borrowing job displace a lower
class, not even in its own queue (sigs.k8s.io/kueue v0.14.0, pkg/scheduler/flavorassigner).
"""


@dataclass(frozen=True)
class Queue:
    """A queue of a tenant: in a lane or outside, for preemptible jobs or for others."""

    tenant: Tenant
    lane: str
    preemptible: bool
    holds: bool
    """Whether this queue has the quota; otherwise the tenant's other queue has it."""
    quotas: tuple[tuple[PoolPart, Quota], ...]

    @property
    def local(self) -> str:
        """Name in the namespace of the tenant."""
        words = [self.lane] if self.lane else []
        return "-".join([*words, PREEMPTIBLE] if self.preemptible else words or [GUARANTEED])

    @property
    def name(self) -> str:
        """Name in the cluster."""
        return "-".join(
            [self.tenant.name, *([self.lane] if self.lane else []), *([PREEMPTIBLE] if self.preemptible else [])]
        )


@dataclass(frozen=True)
class Kueue:
    """The objects of one design, for a release of Kueue."""

    design: Design
    labels: NodeLabels
    resources: Mapping[str, str]
    """Extended resource by accelerator SKU."""
    version: str
    """Release; the newest if empty."""

    def api(self, kind: str) -> str:
        """The apiVersion of `kind`."""
        return kubernetes_addons.load().api("kueue", kind, self.version)

    def parts(self) -> list[PoolPart]:
        """Parts of pools that Kubernetes schedules."""
        design = self.design
        every = parts(design.site, design.servers, design.accelerators, "kubernetes")
        return [part for part in every if part.nodes]

    def topologies(self) -> list[Object]:
        """One topology for all nodes; for a site with tenants or classes one for each pool, of the levels that nest
        there.
        """
        if not self.labels.shared:
            return [self._topology(self.design.site.site, self.labels.levels())]
        result = []
        for pool in dict.fromkeys(self.labels.nodes["pool"]):
            requested = topology.wanted_columns(self.design, self.labels, pool)
            columns = topology.level_columns(self.labels, pool, requested)
            result.append(self._topology(pool, topology.level_keys(self.labels, columns)))
        return result

    def _topology(self, name: str, levels: list[str]) -> Object:
        return make(self.api("Topology"), "Topology", name, spec={"levels": [{"nodeLabel": level} for level in levels]})

    def objects(self) -> list[Object]:
        """Flavors, cohorts, queues and priority classes; topologies are created separately."""
        queues = [queue for tenant in self.design.site.tenants for queue in self._queues(tenant)]
        tenants = {queue.tenant.name: queue.tenant for queue in queues}
        return [
            *map(self._flavor, self.parts()),
            make(self.api("Cohort"), "Cohort", self.design.site.site, spec={}),
            *(self._cohort(tenant) for tenant in tenants.values()),
            *map(self._cluster_queue, queues),
            *map(self._local_queue, queues),
            *(self._priority(job, queues) for job in classes_in(self.design.site, self.parts())),
        ]

    def _flavor(self, part: PoolPart) -> Object:
        """The flavor of a part.

        Its label keeps jobs of other parts away: Kueue adds it to each pod as a node selector.
        """
        spec = {"nodeLabels": {own_keys()["part"]: part.name}, "topologyName": part.pool}
        return make(self.api("ResourceFlavor"), "ResourceFlavor", part.name, spec=spec)

    def _quotas(self, tenant: Tenant) -> list[tuple[PoolPart, Quota]]:
        every = self.parts()
        return [(part, quota) for quota in tenant.quota for part in of_quota(quota, every)]

    def _queues(self, tenant: Tenant) -> Iterator[Queue]:
        quotas = self._quotas(tenant)
        for lane in dict.fromkeys(part.lane for part, _ in quotas):
            inside = tuple((part, quota) for part, quota in quotas if part.lane == lane)
            kinds = {job.preemptible for job in self._classes(tenant, [part for part, _ in inside])}
            if not self.design.site.classes:
                kinds = {True}
            if kinds != {True}:
                yield Queue(tenant, lane, preemptible=False, holds=True, quotas=inside)
            if True in kinds:
                yield Queue(tenant, lane, preemptible=True, holds=kinds == {True}, quotas=inside)

    def _classes(self, tenant: Tenant, inside: list[PoolPart]) -> list[JobClass]:
        """Classes of the tenant that run in one of these parts."""
        here = classes_in(self.design.site, inside)
        return [job for job in here if not job.tenants or tenant.name in job.tenants]

    def _groups(self, amounts: list[tuple[PoolPart, dict[str, int]]]) -> list[dict[str, Any]]:
        """One resource group for each resource, with a flavor for each part."""
        groups: dict[str, list[dict[str, Any]]] = {}
        for part, numbers in amounts:
            resource = self.resources[part.accelerator]
            quota = {"name": resource, **{key: str(number) for key, number in numbers.items()}}
            groups.setdefault(resource, []).append({"name": part.name, "resources": [quota]})
        return [{"coveredResources": [resource], "flavors": flavors} for resource, flavors in groups.items()]

    def _cohort(self, tenant: Tenant) -> Object:
        amounts = [
            (
                part,
                {"nominalQuota": 0, "borrowingLimit": quota.borrow}
                | ({} if quota.lend is None else {"lendingLimit": quota.lend}),
            )
            for part, quota in self._quotas(tenant)
        ]
        spec = {"parentName": self.design.site.site, "resourceGroups": self._groups(amounts)}
        return make(self.api("Cohort"), "Cohort", tenant.name, spec=spec)

    def _cluster_queue(self, queue: Queue) -> Object:
        amounts = []
        for part, quota in queue.quotas:
            nominal = quota.accelerators if queue.holds else 0
            limit = quota.accelerators + quota.borrow - nominal if queue.preemptible else 0
            amounts.append((part, {"nominalQuota": nominal, "borrowingLimit": limit}))
        api = self.api("ClusterQueue")
        spec = {
            "cohort" if api.endswith("/v1beta1") else "cohortName": queue.tenant.name,
            "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": queue.tenant.name}},
            "queueingStrategy": "BestEffortFIFO",
            "preemption": PREEMPTION[queue.preemptible],
            "resourceGroups": self._groups(amounts),
        }
        return make(api, "ClusterQueue", queue.name, spec=spec)

    def _local_queue(self, queue: Queue) -> Object:
        return make(
            self.api("LocalQueue"), "LocalQueue", queue.local, queue.tenant.name, spec={"clusterQueue": queue.name}
        )

    def _priority(self, job: JobClass, queues: list[Queue]) -> Object:
        """The priority class of a job class, with annotations for its required topology and the queues that accept its
        jobs.
        """
        inside = of_class(job, self.design.site, self.parts())
        takes = [
            f"{queue.tenant.name}/{queue.local}"
            for queue in queues
            if queue.preemptible == job.preemptible
            and (not job.tenants or queue.tenant.name in job.tenants)
            and any(part in inside for part, _ in queue.quotas)
        ]
        columns = list(dict.fromkeys(topology.domain_column(self.labels, part.pool, job) for part in inside))
        label = topology.level_keys(self.labels, [column for column in columns if column])
        annotations = {REQUIRED_TOPOLOGY: label[0]} if len(label) == 1 else {}
        return make(
            self.api("WorkloadPriorityClass"), "WorkloadPriorityClass", job.name, value=job.priority,
            description=f"{job.kind} jobs", annotations=annotations | ({QUEUES: ",".join(takes)} if takes else {}),
        )  # fmt: skip
